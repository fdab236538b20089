"""Labels of rows and columns: averages, differences, metrics, settings, and whether higher figures are better."""

from __future__ import annotations

import re


def _words(*words: str, more: str = "") -> re.Pattern[str]:
    """Return a pattern that finds any of the words, or of `more`, which need not be whole words."""
    all_words = " ".join(words).split(" ")
    pattern = rf"(?:^|[^a-z])(?:{'|'.join(w.replace('_', ' ') for w in all_words)})(?:[^a-z]|$)"
    return re.compile(f"{pattern}|{more}" if more else pattern, re.IGNORECASE)


_ACCURACY = "准确率|準確率|正确率|正確率|正解率|召回率|再現率|정확도|точность|genauigkeit|exactitud|acurácia|الدقة"
_AVERAGE = _words(
    "avg averages? ave mean means overall macro micro m-avg g-avg all aggregate summary",
    "moyennes? durchschnitt mittelwert gesamt promedio média gemiddelde średnia ortalama rata-rata genomsnitt",
    more="平均|均值|总体|總體|总分|總分|综合|綜合|全体|평균|전체"
    "|среднее|среднем|المتوسط|ממוצע|میانگین|औसत|ค่าเฉลี่ย|trung bình",
)
_SUM = _words(
    "total sum sums r-?sum overall all summe gesamt somme suma totale",
    more="总分|總分|合计|合計|总计|總計|합계|сумма|итого",
)
_CHANGE = _words(
    r"delta diff diff\. difference gain gains improv\w* gap drop decrease increase change loss_of rel\w*\.?",
    more=r"Δ|δ|∆|^[\s↑↓+±]+$",
)
_LOWER = _words(
    "wer cer mer der eer ter per error errors err loss latency time rtf fid fad fvd kl mae mse rmse perplexity ppl",
    "mcd lsd min-?dcf dcf far frr hallucination params? flops gflops cost memory bias toxicity",
    more="↓|错误率|错率|錯誤率|錯率|誤り率|오류율",
)
_ERROR_RATE = _words("wer cer mer ter", more="错误率|错率|錯誤率|錯率|誤り率|오류율")
_META = _words(
    r"params? parameters? #\s*params? size flops gflops macs frames? fps year date epochs? steps? batch gpu\w* layers?",
    "dim resolution tokens? hours? hrs duration seconds? sec length len seed lr learning_rate crops? views? clips? res",
    "latency time rtf speed throughput memory vram rank no id index version training_data data pretrain download ckpt",
    "config samples? number num count counts temperature top-?p top-?k context window bits? khz hz kbps min max std",
    "stdev variance median",
    more=r"^\s*#|大小|参数|參數|パラメータ|매개변수|年份|年度|时长|時長|样本数|樣本數|数量|數量|件数|\dB\s*$",
)
_SHARE = _words(
    r"acc accuracy em exact_match precision recall success pass@\d+ win_rate hit@\d+ r@\d+ recall@\d+ top-?\s?[15]0?",
    "rate percent percentage",
    more=f"%|{_ACCURACY}",
)
_NOT_SHARE = _words(
    "f1 f-1 bleu rouge meteor cider spice wer cer mer bertscore comet chrf map auc mos score pesq stoi si-?sdr fid fad",
    "kl clap ndcg mrr miou iou mae mse correlation pearson spearman kappa elo r2",
)
_REFERENCE = _words("random chance guess guessing humans? people majority most_frequent frequent")
_SERVICE = re.compile(
    r"(?:^|[^a-z])(?:gpt-?[345]|gpt-4\w*|chatgpt|o[134](?:-\w+)?$|gemini|bard|claude|grok|reka|qwen\S*-max|qwen\S*-plus|nova|"
    r"step-\d|seed|doubao|hunyuan-turbo\w*|proprietary|closed)",
    re.IGNORECASE,
)
_LIMITED = _words(
    "acc accuracy em exact_match precision recall f1 f-1 map auc auroc miou",
    r"pass@\d+ hit@\d+ r@\d+ recall@\d+ top-?\s?[15]0?",
    more=_ACCURACY,
)


def is_average(label: str) -> bool:
    """Return whether a label names an average or overall figure.

    Example:
        >>> is_average("Video|Avg."), is_average("Overall"), is_average("Savage")
        (True, True, False)
    """
    return bool(_AVERAGE.search(label.rpartition("|")[2]) or _AVERAGE.fullmatch(label.partition("|")[0].strip()))


def is_sum(label: str) -> bool:
    """Return whether a label may name a sum."""
    return bool(_SUM.search(label.rpartition("|")[2]))


def is_change(label: str) -> bool:
    """Return whether a label names a difference or a relative gain."""
    return bool(_CHANGE.search(label.rpartition("|")[2]))


def is_meta(label: str) -> bool:
    """Return whether a label names a setting (parameters, frames, year) and not a result."""
    last = label.rpartition("|")[2]
    return bool(_META.search(last)) and not _SHARE.search(last) and not is_average(label)


def lower_is_better(label: str) -> bool | None:
    """Return whether lower figures are better; None if the label doesn't say."""
    if "↑" in label:
        return False
    if _LOWER.search(label):
        return True
    return False if _SHARE.search(label) or _NOT_SHARE.search(label) else None


def is_error_rate(label: str) -> bool:
    """Return whether a label names a word or character error rate, which may exceed 100."""
    return bool(_ERROR_RATE.search(label))


def may_be_share(label: str) -> bool:
    """Return whether a label may name a share of questions: not one of the metrics that are something else."""
    return not _NOT_SHARE.search(label) and not is_meta(label)


def is_limited(label: str) -> bool:
    """Return whether a label names a metric that is at most 1 or 100, and at least 0."""
    return bool(_LIMITED.search(label)) and not is_change(label) and not _ERROR_RATE.search(label)


def is_reference(label: str) -> bool:
    """Return whether a row's label names chance, people or an average, whose figures needn't be counts of answers."""
    return bool(_REFERENCE.search(label)) or is_average(label)


def is_service(label: str) -> bool:
    """Return whether a row's label names a model that is offered as a service, without published weights.

    Example:
        >>> is_service("GPT-4o (2024-08)"), is_service("Qwen2.5-Omni-7B")
        (True, False)
    """
    return bool(_SERVICE.search(label))


def label_key(label: str) -> str:
    """Return a label for comparison with others: lower case, letters and digits only."""
    return re.sub(r"[^\w]+", "", label.casefold())
