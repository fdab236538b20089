// Runs in the sound thread. Sends numbered blocks, each with the frame at which it begins, and ends by a handshake.
const BLOCK = 2048;

class Recorder extends AudioWorkletProcessor {
  constructor() {
    super();
    this.block = new Float32Array(BLOCK);
    this.filled = 0;
    this.number = 0;
    this.begin = 0; // the frame of the block's first sample
    this.ended = false;
    this.port.onmessage = () => { this.ended = true; };
  }

  /** @param {boolean} last */
  send(last) {
    const samples = this.block.slice(0, this.filled);
    this.port.postMessage({ number: this.number, frame: this.begin, samples, last }, [samples.buffer]);
    this.number += 1;
    this.filled = 0;
  }

  /** @param {Float32Array[][]} inputs */
  process(inputs) {
    if (this.ended) {
      this.send(true);
      return false;
    }
    const input = inputs[0];
    if (!input.length) return true; // the microphone doesn't deliver yet; a gap later is seen by the frame numbers
    const frames = input[0].length;
    for (let i = 0; i < frames; i += 1) {
      if (!this.filled) this.begin = currentFrame + i;
      let sum = 0;
      for (const channel of input) sum += channel[i];
      this.block[this.filled] = sum / input.length;
      this.filled += 1;
      if (this.filled === BLOCK) this.send(false);
    }
    return true;
  }
}

registerProcessor("recorder", Recorder);
