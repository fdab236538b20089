// One take: from the microphone to a WAV file, with everything counted that could be lost on the way.

const AFTER_MS = 500; // the end of the last word
const WAITED_MS = 8000;
const STEADY = 4; // blocks without a gap before the cue
const PATIENT = 24; // as many if they are all silent

export class Take {
  /** @param {AudioContext} context @param {MediaStream} stream @param {Listener} listener */
  constructor(context, stream, { onCue, onLevel }) {
    this.context = context;
    this.stream = stream;
    this.onCue = onCue;
    this.onLevel = onLevel;
    this.began = 0; // milliseconds of the page's clock
    this.milliseconds = 0;
    this.resolve = () => {};
    /** @type {Promise<void>} */
    this.finished = new Promise((resolve) => { this.resolve = resolve; });
    this.source = context.createMediaStreamSource(stream);
    this.node = new AudioWorkletNode(context, "recorder", { numberOfOutputs: 0, channelCountMode: "max" });
    /** @type {Block[]} */
    this.blocks = [];
    this.heard = false;
  }

  begin() {
    this.node.port.onmessage = ({ data }) => this.take(data);
    this.source.connect(this.node);
  }

  /** @param {Block} block */
  take(block) {
    const before = this.blocks[this.blocks.length - 1];
    if (!this.heard && before && !follows(before, block)) this.blocks = []; // a device may stutter while it starts
    if (!this.blocks.length) this.began = performance.now() - (1000 * block.samples.length) / this.context.sampleRate;
    this.blocks.push(block);
    if (!this.heard && this.blocks.length >= STEADY && (loud(block) || this.blocks.length >= PATIENT)) {
      this.heard = true; // the microphone really delivers: nothing that is said from now on is cut
      this.onCue();
    }
    this.onLevel(block.samples);
    if (block.last) this.resolve();
  }

  // Resolves with the take once the last block is here, half a second after the stop.
  async end() {
    await new Promise((resolve) => { setTimeout(resolve, AFTER_MS); });
    this.node.port.postMessage("end");
    const late = new Promise((resolve) => { setTimeout(resolve, WAITED_MS); });
    await Promise.race([this.finished, late]);
    this.milliseconds = Math.round(performance.now() - this.began);
    this.stop();
    return this.result();
  }

  stop() {
    this.source.disconnect();
    this.node.port.onmessage = null;
  }

  result() {
    const rate = this.context.sampleRate;
    const blocks = this.blocks;
    const lost = lostBlocks(blocks);
    const frames = blocks.reduce((sum, block) => sum + block.samples.length, 0);
    const samples = new Float32Array(frames);
    let at = 0;
    for (const block of blocks) {
      samples.set(block.samples, at);
      at += block.samples.length;
    }
    const facts = { frames, rate, blocks: blocks.length, lost, milliseconds: this.milliseconds };
    const late = Math.abs(this.milliseconds / 1000 - frames / rate) > 0.35 + 0.02 * (this.milliseconds / 1000);
    return { facts, whole: !lost && !late, seconds: frames / rate, wav: wavOf(samples, rate) };
  }
}

/** @type {(before: Block, block: Block) => boolean} */
const follows = (before, block) =>
  block.number === before.number + 1 && (!block.samples.length || block.frame === before.frame + before.samples.length);
/** @type {(block: Block) => boolean} */
const loud = (block) => block.samples.some((value) => value !== 0);

// Gaps between two blocks, by their numbers and their frames, and a last block that never came.
/** @type {(blocks: Block[]) => number} */
export function lostBlocks(blocks) {
  let lost = blocks.length && blocks[blocks.length - 1].last ? 0 : 1;
  for (let i = 1; i < blocks.length; i += 1) if (!follows(blocks[i - 1], blocks[i])) lost += 1;
  return lost;
}

// 16-bit mono.
/** @type {(samples: Float32Array, rate: number) => Blob} */
export function wavOf(samples, rate) {
  const view = new DataView(new ArrayBuffer(44 + 2 * samples.length));
  /** @type {(at: number, word: string) => void} */
  const text = (at, word) => [...word].forEach((letter, i) => view.setUint8(at + i, letter.charCodeAt(0)));
  text(0, "RIFF"); view.setUint32(4, 36 + 2 * samples.length, true); text(8, "WAVEfmt ");
  view.setUint32(16, 16, true); view.setUint16(20, 1, true); view.setUint16(22, 1, true);
  view.setUint32(24, rate, true); view.setUint32(28, 2 * rate, true); view.setUint16(32, 2, true); view.setUint16(34, 16, true);
  text(36, "data"); view.setUint32(40, 2 * samples.length, true);
  samples.forEach((value, i) => {
    const cut = Math.max(-1, Math.min(1, value));
    view.setInt16(44 + 2 * i, Math.round(cut < 0 ? cut * 32768 : cut * 32767), true);
  });
  return new Blob([view.buffer], { type: "audio/wav" });
}

/** @type {(blob: Blob) => Promise<string>} */
export async function sha256(blob) {
  const digest = await crypto.subtle.digest("SHA-256", await blob.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
