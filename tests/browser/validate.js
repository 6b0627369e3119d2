// Checks glTF files by the Khronos validator: one line a file, exit code 1 where one has an error or
// a warning. Use: node validate.js NODE_MODULES FILE...
const fs = require("fs");
const path = require("path");

const [modules, ...files] = process.argv.slice(2);
const validator = require(path.join(path.resolve(modules), "gltf-validator"));

async function main() {
  let bad = 0;
  for (const file of files) {
    const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), {
      uri: path.basename(file),
      maxIssues: 20,
    });
    const { numErrors, numWarnings, messages } = report.issues;
    if (numErrors + numWarnings > 0) {
      bad++;
      for (const m of messages)
        if (m.severity < 2) console.log(`${file}: ${m.code} ${m.message} at ${m.pointer}`);
    }
    console.log(`${path.basename(file)}: ${numErrors} errors, ${numWarnings} warnings`);
  }
  console.log(`${files.length} files, ${bad} of them bad`);
  process.exitCode = bad ? 1 : 0;
}

main().catch((error) => {
  console.log(String(error));
  process.exitCode = 1;
});
