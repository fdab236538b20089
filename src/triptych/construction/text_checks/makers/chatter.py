"""Words that makers write around a text or instead of it: about their own reply, counts of its words, marking schemes,
and signs for characters that they couldn't read.

A fault is a reason and words for its maker, as in `triptych.construction.text_checks.wording`.
"""

from __future__ import annotations

import re

from triptych.construction.text_checks.shortened import reads_shortened

_REPLY = r"(?:回答|答案|答复|解答|译文|翻译|分析|总结|描述|说明|解析|概括|摘要|内容|信息|建议|解释|解读|回复|結果|结果)"
_EXPERT = (
    r"(?:专家|學者|学者|教授|老师|研究者|研究员|助手|鉴赏家|鉴赏者|评论家|史学家|历史学家|语言学家|翻译家|译者"
    r"|艺术家|收藏家|模型|工程师|人士"
    r"|出题人|命题人|标注员|編輯|编辑)"
)
# Who may also speak in a recording: `作为老师，我很骄傲`
_PROFESSION = r"(?:教授|老师|工程师|艺术家|收藏家|译者|翻译家|编辑|編輯|工作人员|人士|學者|学者)"
_SPEAKS = r"我(?:认为|認為|将|將|会|來|来|可以|的(?:回答|分析|看法|判断)|对(?:这|该|此)|從|从)"
_BEFORE = re.compile(
    r"^\W{0,3}(?:"
    r"(?:好的?|当然(?:可以)?|没问题|明白了?|收到|可以的|好嘞|當然(?:可以)?|沒問題)[，,、。！!：:~～\s]{1,3}"
    r"(?:以下|下面|这(?:里)?是|這是|我(?:来|将|会|先|這就|这就|已)(?:为|给|根据|按|对|就|回答|解答|翻译|翻譯|分析"
    r"|说明|描述|介绍|解释|逐|帮您|帮你|將|将)|根据(?:您|你|图|文|录音|音频)|根據|为[您你]"
    r"|為[您你]|让我|讓我|请看|如下|针对|关于)"
    rf"|(?:以下|下面|如下|下列|这|這)(?:就)?(?:是|为|為)[^。：:\n]{{0,24}}{_REPLY}[^。：:\n]{{0,8}}[:：]"
    r"|(?:非常好的|这是一?个?(?:很|非常)?好的?|好)问题[，,！!。]"
    rf"|(?:作为|作為|身为)(?:一[名位个個款])?[^，,。\n]{{0,20}}(?:(?!{_PROFESSION}[，,]){_EXPERT}[，,]\s*我"
    rf"|{_EXPERT}[，,]\s*"
    rf"(?:{_SPEAKS}|本人|笔者|在此|以下))"
    r"|(?:根据|根據|基于|按照|依据)(?:您|你|用户|使用者)(?:所|们)?(?:提供|给出|上传|给定|发送|分享|描述|输入|的(?:要"
    r"求|描述|问题|请求|提示))"
    r"|(?:我的|本题的?)(?:回答|答案|理解|判断)(?:是|如下|为)?[:：]"
    r"|(?:我|本人|笔者)?(?:很高兴|十分乐意|非常乐意|很乐意)(?:能)?(?:为|帮助|回答|协助|帮)[您你]"
    r"|(?:让我们?|我们?)(?:来|先)?(?:一步一步|逐步|一步步|仔细)(?:地)?(?:思考|分析|推理|看)"
    r"|(?:sure|certainly|of course|absolutely|great question|good question|okay|ok|got it|understood)\s?[!,.:–—-]+\s*"
    r"(?:here|i['’]?(?:ll|d|m| will| would| can)|let(?:['’]s| me)|this is|below|the following|based on)\b"
    r"|here(?:['’]s| is| are)\s+(?:the|my|an?|your|some|three|four)\s+(?:[\w-]+\s){0,4}?(?:answers?|translations?"
    r"|questions?|summary|response|options|distractors|descriptions?|explanations?|texts?|abstract|transcript(?:ion)?"
    r"|version|analysis)\b[^.\n]{0,40}[:：\n]"
    r"|(?:below|the following) (?:is|are) (?:the|my|an?|your)\s+(?:[\w-]+\s){0,4}?(?:answers?|translations?|questions?"
    r"|summary|response|options|descriptions?|explanations?|abstract|transcript(?:ion)?)\b"
    r"|as (?:an?|your) (?:[\w-]+\s){0,4}(?:expert|scholar|historian|connoisseur|assistant|professional|specialist"
    r"|translator|linguist|teacher|annotator|model|ai),? i\b"
    r"|(?:based on|according to|from|given|looking at) (?:the |your )?(?:[\w-]+\s){0,3}?(?:you(?:['’]ve| have)? "
    r"(?:provided|shared|uploaded|given|supplied|sent)|provided by (?:you|the user))"
    r"|(?:let['’]s think|let me think|let['’]s analy[sz]e|let me analy[sz]e|thank you for (?:your|the) (?:question"
    r"|request|prompt))\b"
    r"|i['’](?:d|ll) be (?:happy|glad) to\b"
    r")",
    re.IGNORECASE,
)
_BEGIN = r"(?:^|(?<=[。！!？?\n.;；”\"）)…]))\s*+"
_AFTER = re.compile(
    _BEGIN + r"[(（【\[]?\s*(?:"
    rf"希望(?:我的|以上|上述|这些?|这个|这份|该|本|這些?|此)(?:的)?{_REPLY}"
    r"|希望(?:能|可以|会|這|这)?(?:对|對|帮到|幫到|帮助到?|幫助到?|满足|有助于)(?:您|你|大家)"
    r"|(?:如|如果|若|倘若|假如|要是)(?:您|你)?(?:对.{0,12})?(?:还|還|有|仍|需要|想)(?:有|任何|其他|其它|更多|进一步"
    r"|什么|不|了解|我)?[^。！\n]{0,16}"
    r"(?:问题|疑问|需要|帮助|修改|调整|疑義|問題|需求|补充)[^。！\n]{0,12}(?:告诉|告知|联系|随时|请|欢迎|提出"
    r"|提问|吩咐|继续|隨時|請)"
    r"|(?:如|若|倘)(?:您|你)?(?:需要?|有需要|想|要|还需|另需)[^。！\n]{0,16}[，,]\s*(?:请|可以?|欢迎|敬请|随时"
    r"|我(?:可|会|将|很乐意|愿意))[^。！\n]{0,12}"
    r"(?:告知|告诉|联系|提出|说明|吩咐|留言|提供|继续|补充|追问|询问|效劳)"
    rf"|(?:以上|上述|此)?{_REPLY}?(?:内容|信息)?(?:，)?(?:均|都|皆|只|仅|僅)?(?:仅|僅)?供(?:您|你|大家)?参?參?考"
    r"|(?:由于|因为|因|鉴于|由於)[^。！\n]{0,24}(?:有限|不清|较低|過低|过低|模糊|不足|不完整|不高|较差|问题)[^。！\n"
    r"]{0,40}"
    r"(?:参考|參考|无法(?:保证|确保|确认|完全)|可能(?:存在|会有|有|不)|难以|不够准确|有误|偏差|未能)"
    r"|(?:如|若|倘)有(?:任何)?(?:错误|不妥|不当|疏漏|遗漏|误|不足|錯誤)[^。！\n]{0,8}(?:敬请|请|欢迎|望|還望|还望)"
    r"|(?:敬请|欢迎|望|请)(?:您|各位|大家)?(?:批评)?(?:指正|谅解|见谅|甄别|批评指正|核实后使用)"
    r"|(?:请|請)(?:您|你)?(?:注意|以.{1,10}为准|自行.{0,4}(?:判断|核实|核对))[：:，,。]"
    r"|(?:以上|上述)(?:就|即|便)?(?:是|为)(?:我|对|对于|关于|本|全部|针对)?[^。！\n]{0,24}" + _REPLY + r"\W*$"
    r"|(?:备注|備註|附注|注意|温馨提示|友情提示|免责声明|免責聲明|特别说明|补充说明|注)\s*[:：]"
    r"|(?:需要|值得|应当|应该|请)(?:特别)?(?:注意|说明|指出|强调)的是[，,：:]\s*(?:以上|本|上述|这|我|由于|图)"
    r"|(?:i )?(?:do )?hope (?:this|that|it|these|the above)(?:\s\w+)? (?:helps?|answers?|is (?:helpful|useful)"
    r"|clarif\w+|meets?|was helpful|assists)"
    r"|(?:please )?(?:let me know|feel free to|don['’]t hesitate to|do not hesitate to)\b.{0,60}"
    r"(?:question|help|need|assist|clarif|change|adjust|ask|contact|reach)\w*"
    r"|(?:is there|would you like|do you (?:want|need)) (?:anything else|me to|any(?:thing)? (?:more|other))\b"
    r"|(?:please )?note that (?:this|the|my|these) (?:[\w-]+\s){0,2}?(?:answer|translation|description|response|text"
    r"|analysis|image|picture|interpretation|transcription|transcript|summary)\b"
    r"|(?:this|the above) (?:is )?for (?:your )?reference only|for reference only"
    r"|(?:disclaimer|p\.\s?s\.|n\.\s?b\.|note)\s*:\s"
    r"|due to (?:the )?(?:low|limited|poor|blurr\w+)\b.{0,40}(?:may|might|could|cannot|can['’]t|not be)\b"
    r")",
    re.IGNORECASE,
)
_AMOUNT = r"[\d一二三四五六七八九十百千两零〇]+"
_COUNTED = re.compile(
    rf"[(（【\[]\s*(?:全文|本文|译文|正文|以上|答案|回答|总字数|字数|篇幅)?[^）)\]】\n]{{0,4}}?(?:共计?|合计|总计"
    rf"|约|大约|字数|共约)?\s*[:：为约]?\s*"
    rf"{_AMOUNT}\s*(?:余|多|来)?个?(?:汉)?(?:字|词|字符|字元)(?:左右|以内)?\s*[)）\]】]\W*$"
    rf"|{_BEGIN}(?:全文|本文|译文|正文|以上内容|答案|回答|总字数|字数|本回答|篇幅)(?:总|合|统)?(?:共计?|计|为"
    rf"|约|大约|统计|是)?\s*[:：为约]?\s*"
    rf"{_AMOUNT}\s*(?:余|多|来)?个?(?:汉)?(?:字|词|字符|字元)(?:左右|以内)?\W*$"
    r"|[(\[]\s*(?:word count|approx(?:imately|\.)?|about|total|length)?\s*:?\s*~?\d+ words?(?: in total)?\s*[)\]]\W*$"
    rf"|{_BEGIN}(?:word count|total words?|words|character count)\s*[:=]\s*~?\d+\W*$",
    re.IGNORECASE,
)
_MARKED = re.compile(
    r"(?:得分|踩分|采分|给分|评分|計分|计分)(?:要)?点\s*(?:\d|[一二三四五])?\s*[:：]|(?:评分|给分|阅卷|判分|赋分)(?:"
    r"标准|细则|说明|参考|要求|建议|原则)\s*[:：]"
    rf"|(?:每|各|答对一|答出一|写出一)(?:个)?(?:要)?(?:点|条|项|处|小题|空)\s*(?:得|给|计|算)?\s*{_AMOUNT}(?:\.5)?\s*分"
    r"|(?<!满分)(?<!成绩)(?<!分数)(?<!得分)(?<!高分)(?<!低分)(?<!总分)[(（【\[]\s*(?:本题|共|满分|总分|此点|该点|本点|每[点个项条空])?\s*(?:得"
    rf"|计)?\s*{_AMOUNT}(?:\.5)?\s*分\s*[)）"
    rf"\]】]"
    rf"|[(（【\[]\s*(?:答对|答出|写出|意思对|其中)[^)）\]】\n]{{0,16}}(?:分|即可|得分)\s*[)）\]】]"
    rf"|答(?:出|到|对|中)(?:其中|任意|上述)?\s*{_AMOUNT}\s*[点条项](?:即可|得|给|就)|(?:意思|大意|意)(?:对|相近"
    rf"|相同|正确|答对)(?:了)?(?:即可|就行|得|给)"
    r"|\b(?:marking scheme|mark scheme|scoring rubric|grading rubric|award (?:one|two|three|\d) (?:marks?|points?))\b"
    r"|[(\[]\s*\+?\d+(?:\.5)? (?:marks?|points?|pts?)\s*[)\]]|\b(?:key points?|scoring points?) \d?\s*:\s",
    re.IGNORECASE,
)
_UNREAD_WORDS = (
    r"(?:无法|不能|难以|未能|不可|無法|難以)(?:识别|辨认|辨识|看清|确认|识读|判读|释读|辨識|辨認|認出)|模糊|残缺"
    r"|缺字|阙字|闕字|字迹不清|不清晰?|看不清|漫漶|磨灭|残损|缺失"
    r"|破损|脱字|空白|未识别|待识别|待考|污损|遮挡|illegible|unreadable|unclear|unk(?:nown)?|mask|missing|blank"
    r"|damaged|lacuna"
)
_UNREAD = re.compile(
    rf"[\[【〔(（<〈［{{][^\]】〕)）>〉］}}\n]{{0,6}}(?:{_UNREAD_WORDS})[^\]】〕)）>〉］}}\n]{{0,6}}[\]】〕)）>〉］}}]"
    r"|[\[【〔(（<]\s*[?？]+\s*[\]】〕)）>]|[□■▢◻◼◽◾▯▮〓⬜⬛]|囗(?=囗)|(?<=[\u3400-\u9fff])囗(?=[\u3400-\u9fff])"
    r"|(?<=[\u3400-\u9fff])(?:[?？]{2,}|[×✕✖]+|[xX]{2,}|[*＊]{1,}|[#＃]{1,}|[_＿]{2,}|[○◯]{1,})(?=[\u3400-\u9fff])"
    r"|(?:^|\s)(?:[?？]{3,}|[×✕✖]{2,})(?=\s|$)",
    re.IGNORECASE,
)


@reads_shortened
def chatter_fault(text: str) -> tuple[str, str] | None:
    """Return the fault that a text says something about itself or its maker; None if it is the text alone.

    >>> chatter_fault("好的，以下是我的回答：他要去车站。")[0], chatter_fault("她病了。希望以上回答对您有所帮助！")[0]
    ('not-the-text-alone', 'not-the-text-alone')
    >>> chatter_fault("①指出他是邻居（2分）")[0], chatter_fault("他希望这对她有帮助。")
    ('not-the-text-alone', None)
    """
    for pattern, what in (
        (_BEFORE, "words about the reply"),
        (_AFTER, "words about the reply"),
        (_COUNTED, "the count of its words"),
        (_MARKED, "points or a marking scheme"),
    ):
        if (match := pattern.search(text)) and not _is_announced(match, text):
            return "not-the-text-alone", f"write the text alone, without {what}: {match[0].strip()[:40]!r}"
    return None


def _is_announced(match: re.Match[str], text: str) -> bool:
    """Return whether a text begins with a warning that is called out (`请注意，火车就要开了`), not with its maker's."""
    begins = not text[: match.start()].strip() and _WARNING.match(match[0].strip())
    return bool(begins) and not _OF_A_REPLY.search(text)


_WARNING = re.compile(r"(?:请您?|請您?)?注意[：:，,。]|(?:please )?note\s*:", re.IGNORECASE)
_OF_A_REPLY = re.compile(
    rf"{_REPLY}|以上|以下|上述|参考|仅供|图[片像]|音频|\b(?:answer|translation|description|response|text|image"
    r"|summary)s?\b",
    re.IGNORECASE,
)


@reads_shortened
def unread_fault(text: str) -> tuple[str, str] | None:
    """Return the fault that a text has a sign for characters that its maker couldn't read; None if it has none.

    A question may leave a gap for the answer; answers, options and transcriptions may not.

    >>> unread_fault("王曰【无法识别】不远千里而来")[0], unread_fault("齐鲁青□□")[0], unread_fault("他问：“谁？”")
    ('placeholder', 'placeholder', None)
    """
    if match := _UNREAD.search(text):
        return "placeholder", f"{match[0].strip()[:20]!r} stands for characters that weren't read: write them"
    return None
