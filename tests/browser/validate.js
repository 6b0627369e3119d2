// Checks glTF files by the Khronos validator: one line a file, exit code 1 where one has an error or
// a warning. FILE=SOURCE is a file made of another: it may have the source's warnings, and what
// draws the character must be as it was. Use: node validate.js NODE_MODULES FILE[=SOURCE]...
const assert = require("assert");
const fs = require("fs");
const path = require("path");

const [modules, ...files] = process.argv.slice(2);
const validator = require(path.join(path.resolve(modules), "gltf-validator"));

async function validate(file) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
    uri: path.basename(file),
    maxIssues: 1000,
    externalResourceFunction: async (uri) =>
      new Uint8Array(fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri)))),
  });
  return report.issues;
}

// { json, buffers } of a .glb, .vrm or .gltf
function open(file) {
  const bytes = fs.readFileSync(file), binary = bytes.toString("latin1", 0, 4) === "glTF";
  const end = binary ? 20 + bytes.readUInt32LE(12) : bytes.length;
  const json = JSON.parse(bytes.subarray(binary ? 20 : 0, end).toString("utf8"));
  const buffers = (json.buffers || []).map(({ uri }) => {
    if (!uri) return bytes.subarray(end + 8);
    if (uri.startsWith("data:")) return Buffer.from(uri.slice(uri.indexOf(",") + 1), "base64");
    return fs.readFileSync(path.join(path.dirname(file), decodeURIComponent(uri)));
  });
  return { json, buffers };
}

function bytes_of({ json, buffers }, view) {
  const { buffer, byteOffset = 0, byteLength } = json.bufferViews[view];
  return buffers[buffer].subarray(byteOffset, byteOffset + byteLength);
}

// all but the animations, the buffers' layout and Sinew's own extras
function compare(made, source) {
  const now = open(made), was = open(source);
  for (const [key, value] of Object.entries(was.json)) {
    if (["animations", "buffers", "bufferViews", "images", "extras"].includes(key)) continue;
    const same = Array.isArray(value) ? now.json[key].slice(0, value.length) : now.json[key];
    assert.deepStrictEqual(same, value, key);
  }
  for (const [key, value] of Object.entries(was.json.extras || {}))
    if (key !== "sinew") assert.deepStrictEqual(now.json.extras[key], value, "extras");
  (was.json.bufferViews || []).forEach((_, i) => {
    assert(bytes_of(now, i).equals(bytes_of(was, i)), `bufferView ${i}`);
  });
  (was.json.images || []).forEach((image, i) => {
    const beside = image.uri && path.join(path.dirname(source), decodeURIComponent(image.uri));
    const old = beside ? fs.readFileSync(beside) : bytes_of(was, image.bufferView);
    assert(bytes_of(now, now.json.images[i].bufferView).equals(old), `image ${i}`);
  });
}

async function main() {
  let bad = 0;
  for (const [file, source] of files.map((words) => words.split("="))) {
    const { messages } = await validate(file);
    const had = new Set(source ? (await validate(source)).messages.map((m) => m.code + m.message) : []);
    const found = messages.filter((m) => m.severity < 2 && !had.has(m.code + m.message));
    for (const m of found.slice(0, 20)) console.log(`${file}: ${m.code} ${m.message} at ${m.pointer}`);
    let changed = "";
    try {
      if (source) compare(file, source);
    } catch (error) {
      changed = `, changed: ${error.message}`;
    }
    if (found.length || changed) bad++;
    const errors = found.filter((m) => m.severity === 0).length;
    console.log(`${path.basename(file)}: ${errors} errors, ${found.length - errors} warnings${changed}`);
  }
  console.log(`${files.length} files, ${bad} of them bad`);
  process.exitCode = bad ? 1 : 0;
}

main().catch((error) => {
  console.log(String(error));
  process.exitCode = 1;
});
