"""Texts in which a maker declines in place of writing what was asked for.

The first sentence decides. It declines if it is about the maker or the task: a model that says what it is, or somebody
who can't translate, see or answer "this poem", "the image", "your request". Poems and talks in which somebody can't do
something else don't.
"""

from __future__ import annotations

import re

from triptych.construction.text_checks.shortened import reads_shortened

_FIRST = re.compile(r"\s*(?:[^.!?。！？\n]|\.(?=\S)){1,300}[.!?。！？\n]?")
_THING = (
    r"\b(?:this|the|that|your|such|these|any)\s+(?:\w+\s+){0,2}?(?:poem|text|translation|request|image|picture"
    r"|photo|audio|"
    r"file|recording|document|question|passage|task|content|clip|video|attachment|instructions?"
    r"|verses?|lines|stanzas?|couplets?)\b"
)
_CANT = (
    r"\b(?:can(?:no|['’])?t|can not|unable|not able|won['’]t|will not|not (?:allowed|permitted|in a position"
    r"|capable)|"
    r"must decline|have to decline|decline|refuse|"
    r"do(?:n['’]t| not) (?:have the ability|feel (?:able|comfortable)|know how)|"
    r"(?:am|['’]m) not (?:comfortable|willing))\b"
)
_DOES = (
    r"\b(?:translat|render|view|access|assist|provide|comply|fulfil|generat|process|complet|describ|transcrib"
    r"|analy[sz])\w*"
)
_WORK = (
    r"translations?|renderings?|renditions?|transcriptions?|transcripts?|descriptions?|captions?|answers?|summar(?:y|ies)"
    r"|interpretations?|versions?|explanations?"
)
_MEDIUM = r"audio|recordings?|images?|pictures?|photos?|files?|clips?|attachments?|videos?"
_CHINESE_MEDIUM = r"图片|图像|照片|原图|画面|画作|影像|视频|音频|录音|朗读|语音|附件|文件|素材|声音"
_CHINESE_CANT = (
    r"(?:听不[到见了清]|看不[到见了清]|读不[到了]|打不开|收不到|播放不了|(?:无法|未能|没能|不能|没法|没有?办法|难以)(?:直接|正常)?(?:听|看|读|打开|加载|播放|查看|访问|接收"
    r"|获取|收到)[到见取]?|没有?(?:收到|看到|听到|接收到)|未(?:收到|看到|听到|接收到|获得))"
)
_SO = r"(?:[说判断描述翻译答写辨认]{1,2}不[了出上]|无法|无从|没有?办法|没法|不能|难以|未能|请|烦请|麻烦|恳请)"
_PATTERNS: tuple[str, ...] = (
    rf"\b(?:i|i['’]m)\b.{{0,40}}{_CANT}.{{0,60}}{_DOES}.{{0,60}}{_THING}",
    rf"\b(?:i|i['’]m)\b.{{0,40}}{_CANT}.{{0,40}}\b(?:see|hear|read|open|answer|listen|help|do)\b.{{0,40}}{_THING}"
    rf"(?:.{{0,30}}\b(?:uploaded|"
    r"attached|provided|shared|sent)\b|\W*$)",
    r"\b(?:unable to|cannot|can['’]t|can not) (?:comply|fulfil+ (?:this|your|the) request|assist with (?:this"
    r"|that|your|the)\b)",
    rf"{_THING}.{{0,40}}\b(?:beyond|exceeds?|outside)\b.{{0,20}}\b(?:my|what i)\b",
    r"\b(?:beyond|exceeds?|outside(?: of)?)\s+(?:the (?:scope|limits?) of\s+)?my\s+(?:\w+\s+)?(?:abilit|capabili"
    r"t|capacit|competenc|"
    r"expertise|training|scope)\w*",
    r"\b(?:translat|render|describ|answer|transcrib)\w*\b.{0,40}\b(?:beyond|exceeds?|outside)\b.{0,20}\b"
    r"(?:my|what i)\b",
    rf"^\W*(?:unfortunately|regrettably|sorry|i regret|i apologi[sz]e)\b.{{0,60}}{_THING}.{{0,40}}\b(?:can(?:no"
    rf"|['’])?t|can not|impossible|"
    r"not (?:possible|available)|unavailable)\b",
    r"^\W*(?:no translation (?:is )?(?:available|possible|provided)|(?:this|the) (?:poem|text|passage) (?:can"
    r"(?:no|['’])?t|can not) be "
    r"(?:translated|rendered))",
    r"\b(?:an?|the|no) (?:english )?(?:translation|rendering|version)\b.{0,40}\b(?:unavailable|not available"
    r"|(?:could|can)(?:not| not|n['’]t)? be (?:produced|provided|given))\b",
    r"\bnot possible for me to (?:translat|render|provid|giv|writ)\w*|\bnot feel able to (?:translat|render)\w*"
    r"|\btranslating (?:this|these|it)\b.{0,40}\b(?:not able|unable|cannot|can['’]t)\b"
    r"|\bi(?: am|['’]m) afraid (?:that )?i can(?:no|['’])t help (?:with|you)\b",
    r"\bas an? (?:\w+\s+){0,2}?(?:ai|language model|(?:ai|virtual) assistant)\b|\bi(?:['’]m| am) (?:just |only )"
    r"?an? (?:\w+\s+)?(?:ai|"
    r"language model|(?:ai|virtual) assistant)\b",
    # In several languages: an excuse, then what the model was given
    r"(?:\b(?:sorry|apologi[sz]e)\b|\bes tut mir leid\b|\bmi (?:scuso|dispiace)\b|\bdésolée?\b|\blo siento\b"
    r"|\bdesculpe\b).{0,40}\b(?:the|dal?l?|de[rsmn]|d[ai]s|le|el|la|du|o|il|nel|im)\b.{0,40}"
    r"\b(?:(?:provided|supplied|uploaded|attached) (?:text|video|audio|file|image|recording|abstract|document|content)"
    r"|(?:bereitgestellt|angegeben|übermittelt|hochgeladen)\w*"
    r"|fornit[oaie]|caricat[oaie]|fournie?s?|proporcionad[oa]s?|fornecid[oa]s?)\b",
    # German
    r"\bich\b.{0,50}\b(?:kann|nicht in der lage|außerstande|darf)\b.{0,60}\b(?:diese[nsmr]?|das|den|die|ihre?)\s"
    r"+(?:gedicht|text|"
    r"übersetzung|anfrage|bild|datei|aufnahme|frage|bitte)\w*.{0,40}(?:\bnicht\b|übersetz|beantwort|erfüll"
    r"|anseh|öffn)",
    r"\b(?:kann ich|ich kann)\b.{0,60}(?:gedicht|text|bild|anfrage|aufnahme).{0,30}\bnicht\b.{0,20}(?:übersetz"
    r"|beantwort|erfüll|bearbeit)",
    r"\bals (?:ki|(?:großes )?sprachmodell|ki-modell|ki-assistent\w*|künstliche intelligenz)\b"
    r"|\b(?:übersteigt|überschreitet) meine (?:fähigkeiten|möglichkeiten)\b",
    # French, Spanish, Portuguese, Italian, Dutch
    r"\bje (?:ne|n['’])\s*(?:peux|puis|suis|saurais|arrive).{0,30}\b(?:traduire|fournir une traduction|accéder"
    r"|satisfaire|répondre à (?:cette|"
    r"votre))\b|\ben tant qu(?:e |['’])(?:modèle|ia|intelligence artificielle|assistant)\b|\b(?:au-delà de"
    r"|dépasse) mes (?:capacités|compétences)\b",
    r"\bno (?:puedo|me es posible|soy capaz de|estoy en condiciones de)\b.{0,20}\b(?:traducir|proporcionar"
    r"|cumplir|acceder|responder a "
    r"(?:esta|su))|\bcomo (?:un )?(?:modelo de lenguaje|ia|inteligencia artificial)\b|\b(?:más allá de|supera) m"
    r"is (?:capacidades|posibilidades)\b",
    r"\bnão (?:posso|consigo|sou capaz de)\b.{0,20}\b(?:traduzir|fornecer|cumprir|acessar)|\bcomo (?:um )?"
    r"(?:modelo de linguagem|ia)\b",
    r"\bnon (?:posso|riesco a|sono in grado di)\b.{0,20}\b(?:tradurre|fornire|soddisfare|accedere|rispondere a "
    r"(?:questa|tale))|\b(?:in quanto|"
    r"come) (?:modello linguistico|ia|intelligenza artificiale)\b|\b(?:va oltre|supera) le mie (?:capacità"
    r"|possibilità|competenze)\b",
    r"\b(?:ik kan|kan ik)\b.{0,50}\bniet\b.{0,20}\b(?:vertalen|vertaald)|\bals (?:ai|taalmodel)\b",
    # Chinese, Japanese, Korean, Russian
    r"(?:我(?!们)|本模型|作为).{0,14}(?:无法|不能|没法|没有办法|没办法|难以|不便|不具备|没有能力|無法)(?:直接)?.{0,8}(?:翻译|翻譯|提供|回答|完成|协助|生成|访问|满足|查看"
    r"|识别|处理|描述|听取|执行)(?:.{0,4}(?:这|该|此|您|你|本|上述|相关|请求|图|音频|诗|文本|翻译|译文|内容)|[。！.!]?\s*$)",
    r"(?:这首?诗|该诗|本诗|这段|该文本|此诗|请求|图片|图像|音频|翻译|要求|任务).{0,20}超(?:出|过)了?(?:我|本模型|模型).{0,6}(?:能力|范围|权限)",
    r"超(?:出|过)了?(?:我|本模型|模型)的?.{0,4}(?:能力|知识|权限)(?:范围)?|恕我?(?:无法|不能|难以).{0,4}(?:翻译|回答|提供|完成)|作为.{0,6}(?:语言模型"
    r"|人工智能|ai\b|ai助手)",
    r"(?:翻訳|提供|回答|対応|お答え|お手伝い|閲覧|再生)(?:する)?(?:こと)?(?:が|は|を)?(?:でき(?:ません|かねます)|いたしかねます|不可能です)"
    r"|(?:言語モデル|人工知能|ai)(?:として|なので|である)",
    r"(?:번역|제공|답변|도와|처리|확인)\S{0,4}(?:\s\S{1,4})?\s수\s?(?:가\s)?없|(?:언어\s?모델|인공지능|ai)(?:로서|이므로|이기)",
    r"\bне (?:могу|способ\w+|в состоянии)\b.{0,20}\b(?:перевести|предоставить|выполнить)|\bкак языковая модель\b",
)
_PATTERNS += (
    # Without "I can't": what is asked for goes beyond what is offered, or the medium didn't arrive
    rf"^\W*(?:unfortunately|regrettably|sadly|with regret|i regret)\b.{{0,40}}\b(?:{_WORK})\b.{{0,80}}\b"
    r"(?:(?:li(?:e|es)"
    r"|falls?|is|are|goes|remains?) (?:well |far )?(?:outside|beyond|out of)\b|(?:can(?:no|['’])?t|can not"
    r"|could not) be\b"
    r"|(?:is|are) (?:not|un)\s?(?:possible|available|feasible))",
    rf"^\W*(?:a|an|any|the|such a|no)\s+(?:\w+\s+){{0,2}}(?:{_WORK})\b.{{0,60}}\b(?:(?:li(?:e|es)|falls?|is|are|goes"
    r"|remains?) (?:well |far )?"
    r"(?:outside|beyond|out of)|(?:can(?:no|['’])?t|can not|could not) be (?:offered|given|provided|produced|supplied)"
    r"|can be (?:offered|given|provided|produced|supplied)|(?:is|are) (?:not possible|unavailable|not available))"
    r".{0,40}"
    r"\b(?:here|at (?:this|the) (?:time|moment)|can be offered|for now)\b",
    rf"^\W*(?:\w+,? ){{0,2}}(?:i|we)\b.{{0,20}}\b(?:no|not|lack|without)\b.{{0,12}}\b(?:access|way)\b"
    rf".{{0,24}}\b(?:{_MEDIUM})\b",
    r"^\W*(?:i|we|i['’]m|we['’]re) (?:can |am able to |are able to )?only (?:able to )?"
    r"(?:handle|process|read|work with|see|accept) (?:written )?text",
    rf"^\W*(?:(?:unfortunately|sorry|regrettably),? )?no (?:{_MEDIUM}) (?:was|is|were|has been|have been"
    r"|seems?|came|appears?)"
    r"\b.{0,16}\b(?:attached|provided|supplied|uploaded|received|loaded|included|through)\b",
    rf"^\W*(?:\w+,? )?(?:the|your|this) (?:{_MEDIUM})(?: file)? "
    r"(?:(?:did|does|could|would)(?: not|n['’]t)|failed to|can(?:no|['’])?t)"
    r" (?:be )?(?:load|open|play|display|render|view)",
    # Chinese: the writer handles text alone, or the medium didn't arrive, and a clause says what doesn't follow
    r"^\W*(?:抱歉[，,])?(?:我|本模型|目前|这里)(?:只能|仅能|只会|只可以)(?:处理|阅读|接收|理解|读取|分析|看懂)(?:文字|文本|纯文本|书面)",
    rf"^\W*[^，,他她它。]{{0,6}}(?:我(?!们)|本模型|目前|暂时|这里|这边|抱歉|遗憾).{{0,8}}{_CHINESE_CANT}.{{0,8}}(?:{_CHINESE_MEDIUM})"
    rf".{{0,12}}(?:[，,；;].{{0,14}}{_SO}|\W*$)",
    rf"^\W*[^，,他她它我。]{{0,4}}{_CHINESE_CANT}.{{0,6}}(?:{_CHINESE_MEDIUM}).{{0,6}}[，,；;].{{0,8}}{_SO}",
    rf"^\W*(?:[^，,。]{{0,8}}[，,])?[^，,他她。]{{0,6}}(?:{_CHINESE_MEDIUM}|这[幅张][图画])(?:文件|内容)?(?:似乎|好像|可能|暂时|目前)?(?:(?:未能?|没能?|没有|无法|不能)(?:成功|正常|正确|顺利)?(?:加载|显示|打开|播放|上传|载入|收到|提供|读取|附上|呈现|传)|打不开"
    rf"|加载不了|加载失败|缺失)"
    rf"[^，,。]{{0,8}}[，,；;].{{0,14}}{_SO}.{{0,4}}(?:描述|回答|判断|作答|翻译|转写|辨认|识别|分析|说明|解读|赏析|补充|上传|提供|重新|再[发传]|给出|确定)",
    r"^\W*[^，,。我他她]{0,4}(?:看不[到见了清]|没有)(?:图|画)(?:可看)?[，,；;].{0,8}(?:[说判断描述写辨认]{1,2}不[了出上]|无法|无从|没法)",
    rf"^\W*(?:这|该|此)?段?(?:音频|录音)(?:里|中)?(?:没有?声音|是空的|为空|无声)[，,].{{0,8}}{_SO}",
    r"^\W*(?:此|这|该|本)[^，。]{0,6}我[翻译描述判断解读赏析]{1,2}不[了出]",
    rf"^\W*(?:\w+\s+){{0,4}}(?:{_WORK})\b.{{0,30}}\bmore than (?:i|we) can\b|^\W*(?:\w+,? )?(?:i|we) must pass on this "
    r"(?:one|poem|text|request|image|task)\b",
    rf"^\W*[^请让等]{{0,10}}(?:您|你)(?:所|们)?(?:提供|给出|上传|发送|发来|输入)的.{{0,24}}{_SO}",
    r"^\W*.{0,6}(?:抱歉|对不起|遗憾|不好意思|可惜|恕).{0,24}(?:超出|超过|不在)了?(?:我|本人|本模型|模型|系统)的?.{0,8}"
    r"(?:范围|能力|权限|之内|水平)",
    r"(?:超出|超过|不在)了?我的?(?:翻译|回答|处理|理解|服务)(?:能力|范围|权限)",
    rf"^\W*.{{0,6}}(?:抱歉|对不起|遗憾|不好意思|恕).{{0,40}}{_SO}.{{0,6}}(?:译文|译出|翻译|描述|转写|解读|赏析|作答|判断)",
)
_TO_SIMPLIFIED = str.maketrans(
    "無譯圖聽見處錄頻檔顯載開對過請這們沒辦斷讀聲難從現視語內補給實應傳畫憾僅書顧煩為於麼翻將賞損",
    "无译图听见处录频档显载开对过请这们没办断读声难从现视语内补给实应传画憾仅书顾烦为于么翻将赏损",
)
_DECLINES = re.compile("|".join(f"(?:{each})" for each in _PATTERNS), re.IGNORECASE)


@reads_shortened
def declines(text: str) -> bool:
    """Return whether the first sentence of a text declines to write it.

    >>> declines("Unfortunately, translating this poem goes beyond what I can do here.")
    True
    >>> declines("I cannot see the ancients who came before me."), declines("I cannot help but weep.")
    (False, False)
    """
    first = _FIRST.match(text)
    if first is None:
        return False
    sentence = first[0].strip()
    return bool(_DECLINES.search(sentence) or _DECLINES.search(sentence.translate(_TO_SIMPLIFIED)))
