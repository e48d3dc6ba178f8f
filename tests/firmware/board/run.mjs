// Runs one board: MicroPython with the firmware, whose clock, pins and radio are answered for.
//
//   node run.mjs FIRMWARE_FOLDER PROGRAM [USB_FD]
//
// A line of JSON on stdin lets time pass and says what the world does; the program's answer is a line
// of JSON on stdout. USB_FD is the far end of the board's USB cable: its stdin and stdout.
import fs from "fs";
import path from "path";
import { fileURLToPath } from "url";

const here = path.dirname(fileURLToPath(import.meta.url));
const [firmware, program, usb] = process.argv.slice(2);
const fd = usb === undefined ? -1 : parseInt(usb);
const { loadMicroPython } = await import(
  path.join(here, "node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs"));

let arrived = [], leaving = [], heard = 0, said = 0;
const piece = Buffer.alloc(4096);

function read(from, block) {
  for (;;) {
    try {
      return fs.readSync(from, piece, 0, piece.length, null);
    } catch (error) {
      if (error.code === "EOF" || error.code === "EIO") return 0;
      if (error.code !== "EAGAIN") throw error;
      if (!block) return 0;
    }
  }
}

// What has come over the cable is fetched once for each line of the world: asking often costs much.
function fetch() {
  const count = fd >= 0 ? read(fd, false) : 0;
  for (let i = 0; i < count; i++) arrived.push(piece[i]);
}

const waiting = () => arrived.length > 0;

function flush() {
  let data = Buffer.from(leaving);
  leaving = [];
  while (data.length > 0) {
    try {
      data = data.subarray(fd >= 0 ? fs.writeSync(fd, data) : data.length);
    } catch (error) {
      if (error.code === "EIO") return;
      if (error.code !== "EAGAIN") throw error;
    }
  }
}

const board = await loadMicroPython({
  heapsize: 4 * 1024 * 1024,
  stdin: () => { if (!waiting()) return null; heard++; return arrived.shift(); },
  stdout: (byte) => { if (fd >= 0) { leaving.push(byte[0]); said++; } else process.stderr.write(byte); },
  stderr: (byte) => process.stderr.write(byte),
  linebuffer: false,
});
board.registerJsModule("cable", { waiting, heard: () => heard, said: () => said });
board.FS.mkdir("/firmware");
for (const name of fs.readdirSync(firmware)) {
  if (name.endsWith(".py")) {
    board.FS.writeFile("/firmware/" + name, fs.readFileSync(path.join(firmware, name)));
  }
}
for (const name of fs.readdirSync(here)) {
  if (name.endsWith(".py")) board.FS.writeFile("/" + name, fs.readFileSync(path.join(here, name)));
}
board.runPython("import sys\nsys.path.insert(0, '/')");
board.runPython(`import ${program}`);
board.runPython(`answer = ${program}.answer`);
const answer = board.globals.get("answer");

let rest = "";
for (;;) {
  const count = read(0, true);
  if (count === 0) process.exit(0);
  rest += piece.toString("utf8", 0, count);
  for (let end; (end = rest.indexOf("\n")) >= 0; rest = rest.slice(end + 1)) {
    fetch();
    const reply = answer(rest.slice(0, end));
    flush();
    fs.writeSync(1, reply + "\n");
  }
}
