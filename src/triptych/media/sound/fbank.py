"""Log mel energies of speech as Kaldi computes them: the input of most models of speakers."""

from __future__ import annotations

from typing import Any

from triptych.records.packages import need


def log_mel(samples: Any, bins: int = 80) -> Any:
    """Return the log mel energies (frames, bins) of mono speech at 16 kHz, as float32, by kaldi-native-fbank.

    Kaldi's defaults without dither: frames of 25 ms every 10 ms within the recording, without their mean, with
    pre-emphasis of 0.97 and the Povey window; triangular filters from 20 Hz to 8 kHz. `samples` are in the range of
    16-bit integers for most models, at full scale 1 for some. A recording shorter than a frame gives no frames.

    Raises SpecError if kaldi-native-fbank, which the extra `build` installs, is missing.
    """
    import numpy as np

    kaldi = need("kaldi_native_fbank", "the voice encoder", "build")
    options = kaldi.FbankOptions()
    options.frame_opts.dither, options.mel_opts.num_bins = 0.0, bins
    feature = kaldi.OnlineFbank(options)
    feature.accept_waveform(options.frame_opts.samp_freq, np.asarray(samples, dtype=np.float32).tolist())
    feature.input_finished()
    frames = [feature.get_frame(number) for number in range(feature.num_frames_ready)]
    return np.stack(frames) if frames else np.zeros((0, bins), dtype=np.float32)
