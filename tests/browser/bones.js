// Loads glTF files by three.js in headless Chromium and compares every bone, at rest and at several
// times of every animation, with what `sinew eval` says of the same DOF values.
// Use: node bones.js NODE_MODULES CHROMIUM SINEW [RIG FILE.glb TABLE.csv|-]...
// An animation with a DOF's name is a sweep through its range in two seconds; another one is the
// clip whose DOF curves are in the table. With what places.lua printed, PLACES.json - -, it compares
// the nodes of a character with that.
const fs = require("fs");
const http = require("http");
const os = require("os");
const path = require("path");
const { spawn, spawnSync } = require("child_process");

const [modules, chromium, sinew, ...words] = process.argv.slice(2);
const TOLERANCE = 1e-4;
const PATIENCE = 120000;

function fail(text) {
  console.log(text);
  process.exit(1);
}

function document_of(file) {
  const bytes = fs.readFileSync(file);
  return JSON.parse(bytes.subarray(20, 20 + bytes.readUInt32LE(12)).toString("utf8"));
}

// the lines of a table as { time, dofs }, some of them
function moments(table) {
  const lines = fs.readFileSync(table, "utf8").trim().split("\n").map((line) => line.split(","));
  const names = lines.shift();
  const step = Math.max(1, Math.floor(lines.length / 9));
  return lines
    .filter((_, i) => i % step === 0 || i === lines.length - 1)
    .map((line) => ({
      time: Number(line[0]),
      dofs: names.slice(1).map((name, i) => `${name}=${line[i + 1]}`),
    }));
}

function sweep(dof) {
  return [0, 0.311, 0.777, 1, 1.234, 1.9, 2].map((time) => ({
    time,
    dofs: [`${dof.name}=${dof.min + ((dof.max - dof.min) * time) / 2}`],
  }));
}

// the nodes of a character in the frames of one animation
function read_places(file) {
  const places = JSON.parse(fs.readFileSync(file, "utf8"));
  return { file: places.file, places: true, wanted: { [places.animation]: places.frames } };
}

function read_case(rig, file, table) {
  if (rig.endsWith(".json")) return read_places(rig);
  const json = document_of(file);
  const root = json.nodes[json.scenes[0].nodes[0]].extras.sinew;
  const wanted = { "": [{ time: 0, dofs: root.dofs.map((dof) => `${dof.name}=${dof.value}`) }] };
  for (const animation of json.animations || []) {
    const dof = root.dofs.find((one) => one.name === animation.name);
    wanted[animation.name] = dof ? sweep(dof) : moments(table);
  }
  return { rig, file, wanted };
}

function expected(rig, dofs) {
  const run = spawnSync(sinew, ["eval", rig, ...dofs, "--json"], { encoding: "utf8" });
  if (run.status !== 0) fail(`sinew eval ${rig}: ${run.stderr}`);
  return JSON.parse(run.stdout).segments;
}

function compare(one, result) {
  let worst = 0, where = "", count = 0;
  for (const pose of result.poses) {
    const moment = one.wanted[pose.animation].find((m) => m.time === pose.time);
    const truth = one.places ? moment.nodes : expected(one.rig, moment.dofs);
    for (const [name, matrix] of Object.entries(truth)) {
      const bone = pose.bones[name];
      if (!bone) fail(`${one.file}: three.js has no bone '${name}'`);
      const off = Math.hypot(bone[12] - matrix[12], bone[13] - matrix[13], bone[14] - matrix[14]);
      if (!(off <= worst)) (worst = off), (where = `'${name}' in '${pose.animation}' at ${pose.time}`);
      // 0.05 degrees, and rounding; a character may be scaled
      const scale = Math.hypot(matrix[0], matrix[1], matrix[2]);
      for (let k = 0; k < 11; k++)
        if (!(Math.abs(bone[k] - matrix[k]) < 1e-3 * scale)) fail(`${one.file}: ${where}: turned wrongly`);
      count++;
    }
  }
  if (!count) fail(`${one.file}: there is nothing to compare`);
  const { plain, skinned } = result.meshes;
  console.log(
    `${path.basename(one.file)}: ${result.poses.length} poses, ${count} bones, ` +
      `${plain} meshes, ${skinned} skinned, off by ${worst.toExponential(1)} m`,
  );
  if (!(worst <= TOLERANCE)) fail(`${one.file}: ${where} is off by ${worst} m`);
}

const cases = [];
for (let i = 0; i + 2 < words.length; i += 3) cases.push(read_case(...words.slice(i, i + 3)));
const jobs = cases.map((one, i) => ({
  url: `/file/${i}`,
  nodes: one.places,
  times: Object.fromEntries(
    Object.entries(one.wanted).map(([name, list]) => [name, list.map((m) => m.time)]),
  ),
}));

const types = { ".js": "text/javascript", ".html": "text/html" };
function send(response, type, body) {
  response.writeHead(200, { "Content-Type": type });
  response.end(body);
}
function serve(request, response) {
  const url = request.url;
  if (url === "/jobs") return send(response, "application/json", JSON.stringify(jobs));
  if (url === "/") return send(response, "text/html", fs.readFileSync(path.join(__dirname, "bones.html")));
  if (url.startsWith("/file/"))
    return send(response, "model/gltf-binary", fs.readFileSync(cases[Number(url.slice(6))].file));
  const file = path.join(path.resolve(modules), path.normalize(url));
  if (url.startsWith("/three/") && fs.existsSync(file))
    return send(response, types[path.extname(file)] || "text/plain", fs.readFileSync(file));
  response.writeHead(404);
  response.end();
}

const profile = fs.mkdtempSync(path.join(os.tmpdir(), "sinew-browser-"));
let browser;
// its helper processes too, which write into the profile for a moment yet; what they leave behind is
// no matter of the test
function kill() {
  try {
    if (browser && browser.pid) process.kill(-browser.pid, "SIGKILL");
    fs.rmSync(profile, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  } catch (error) {
    console.error(`${profile}: ${error.code}`);
  }
}
function end(work) {
  let code = 0;
  process.on("exit", kill);
  try {
    work();
  } catch (error) {
    console.log(String(error));
    code = 1;
  }
  process.exit(code);
}

const server = http.createServer((request, response) => {
  if (request.url !== "/answer") return serve(request, response);
  let text = "";
  request.on("data", (part) => (text += part));
  request.on("end", () => {
    response.end();
    end(() => {
      const answer = JSON.parse(text);
      if (answer.error) throw answer.error;
      cases.forEach((one, i) => compare(one, answer.results[i]));
      console.log(`${cases.length} files agree`);
    });
  });
});
server.listen(0, "127.0.0.1", () => {
  browser = spawn(
    chromium,
    ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
      "--disable-background-networking", "--disable-component-update", "--disable-sync",
      "--disable-dev-shm-usage", `--user-data-dir=${profile}`,
      "--remote-debugging-port=0", `http://127.0.0.1:${server.address().port}/`],
    { stdio: "ignore", detached: true },
  );
  browser.on("error", (error) => end(() => { throw error; }));
});
setTimeout(() => end(() => { throw "the browser gave no answer"; }), PATIENCE);
