// Smart dice on the set-up page, as they are about twice a second.
import { drawer, keepDrawing, listen } from "./setup_desk.js";

const LOOK_MS = 600;
const draw = drawer("/setup/dice/board");
listen(draw);
keepDrawing(draw, LOOK_MS);
