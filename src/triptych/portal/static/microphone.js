// The test of the microphone: some seconds are recorded, measured and played back. Nothing is kept or sent.

const FRAME_S = 0.1;
const SILENT_DB = -50;
const QUIET_DB = -40;
const CLEAR_DB = 15; // between speech and the room
const MOST_CLIPPED = 0.001;

/** @type {(power: number) => number} */
const db = (power) => 10 * Math.log10(Math.max(power, 1e-9));

// Speech is the level that a tenth of the time exceeds, the room that below which it stays for a tenth.
/** @type {(samples: Float32Array, rate: number) => { speech: number, room: number, clipped: number, rate: number }} */
export function measure(samples, rate) {
  const length = Math.max(1, Math.round(FRAME_S * rate));
  /** @type {number[]} */
  const levels = [];
  let clipped = 0;
  for (let at = 0; at + length <= samples.length; at += length) {
    let power = 0;
    for (let i = at; i < at + length; i += 1) {
      power += samples[i] * samples[i];
      if (Math.abs(samples[i]) >= 0.999) clipped += 1;
    }
    levels.push(db(power / length));
  }
  levels.sort((one, other) => one - other);
  /** @type {(share: number) => number} */
  const place = (share) => levels[Math.min(levels.length - 1, Math.floor(share * levels.length))] ?? -90;
  return { speech: place(0.9), room: place(0.1), clipped: samples.length ? clipped / samples.length : 0, rate };
}

// The name of the text that says how it was.
/** @type {(measured: { speech: number, room: number, clipped: number }) => string} */
export function verdict({ speech, room, clipped }) {
  if (speech < SILENT_DB) return "silent";
  if (clipped > MOST_CLIPPED) return "loud";
  if (speech < QUIET_DB) return "quiet";
  return speech - room < CLEAR_DB ? "noisy" : "good";
}
