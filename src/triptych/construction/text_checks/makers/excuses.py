"""Answers and descriptions that are none: messages of a program, requests to whoever asked, and makers that decline.

`triptych.construction.text_checks.makers.refusals` knows the sentences that no text of a question may begin with. These
are for texts that answer a question or describe a medium in the third person; people who are quoted, in options or
transcripts, may say them.
"""

from __future__ import annotations

import re

from triptych.construction.text_checks.shortened import reads_shortened

Fault = tuple[str, str]

_WORK = (
    r"(?:翻译|译文|译出|生成|请求|识别|加载|上传|解析|处理|转写|转录|分析|回答|解读|描述|赏析"
    r"|解码|下载|读取|调用|推理|响应)"
)
_MATERIAL = (
    r"(?:原文|文本|文字|诗文|诗歌|诗词|此诗|该诗|这首诗|本诗|内容|资料|材料|信息|问题|题目|图片|图像|图|照片|画面"
    r"|录音|音频|语音|视频|文件|附件|素材|上下文|指令|数据)"
)
_CANT = r"(?:无法|不能|不便|难以|未能|没法|没有?办法|无力|不会|不予|不可|暂不|不支持|不具备)"
_RULES = (
    r"(?:由于|因为?|根据|按照?|依据?|受|基于|出于|鉴于|限于|遵照)(?:[和及与、]?(?:相关|有关|平台|国家|内容|版权|安全|政策|法律|法规|规定|合规))+"
    r"(?:[的和及与、]?(?:规定|法律|法规|政策|限制|要求|原因|策略|问题|考虑|所限|约束|条款))*"
)
# What follows rules in an excuse: the task isn't done, or the content is hidden
_REFUSED = (
    rf"(?:{_CANT}(?:为您|对此|直接|向您)*(?:{_WORK}|提供|作答|显示|展示|完成|给出|继续|讨论|满足|涉及|执行)"
    r"|不予?(?:讨论|显示|展示|翻译|回答|提供|公开)|不在(?:回答|服务|讨论|处理|翻译)|恕(?:不|难)|拒绝(?:回答|翻译|作答|描述|提供)"
    r"|(?:内容|请求|问题|文本|回答|结果|信息)(?:已经?|可能|可)*(?:被|遭)(?:屏蔽|过滤|拦截|拒绝|隐藏|删除)|敏感(?:内容|词|信息|话题)"
    r"|敬?请(?:您|予以)*(?:谅解|见谅|(?:查阅|参考)(?:原文|原著)))"
)
# Rules that are followed by nothing, and texts for one that is empty: no answer, whoever says so
_ALONE = re.compile(
    rf"\W*(?:(?:很|非常)?(?:抱歉|对不起|不好意思|遗憾)[，,：:。！!\s]*)?(?!因为){_RULES}\W*"
    r"|\W*(?:此处|内容|回答|答案|译文|结果)?(?:为?空(?:白)?|略|暂无(?:内容|结果|答案|数据)?|null|empty|blank)\W*",
    re.IGNORECASE,
)
_ONE_CHARACTER = re.compile(r"[哪何什那][一么]?个?(?:单)?字|一个字|单字|单个?汉字|(?:单|一)个?字(?:回答|作答)")
_PROGRAM = re.compile(
    r"^\W*(?:(?:很|非常)?(?:抱歉|对不起|不好意思)[，,：:。！!\s]*)?(?:(?:本|此|该|这次|当前)?(?:系统|服务|模型"
    r"|网络|接口|服务器|后台|平台|程序)(?:繁忙|异常|错误|超时|提示|忙碌?|出错|故障|未返回|没有返回|维护|拥堵"
    r"|不可用|暂不支持|无响应|连接失败|暂时)"
    rf"|(?:译文|答案|描述|结果)?{_WORK}(?:内容|结果|任务)?(?:失败|出错|中断|超时|错误|异常|未完成|被中止|已终止)"
    r"|(?:该|此|本|这|部分|相关|您的?|你的?)?(?:内容|请求|问题|文本|输入|结果|回答)(?:可能|已经?|涉嫌|因)*(?:违规"
    r"|违反|被屏蔽|被拒绝|被拦截|不合规|被过滤|不予显示|含有敏感|涉及敏感|敏感|受限|无法(?:显示|生成|展示))"
    rf"|{_RULES}(?=[，,；;][^，。]{{0,8}}{_REFUSED})"
    r"|(?:请求|连接|响应|操作)?(?:超时|(?:已)?(?:达到|超过|超出)(?:了)?(?:最大|最长)?(?:的)?(?:长度|字数|次数|令牌"
    r"|token)(?:限制|上限)?)\W*$"
    r"|(?:error|exception|traceback|timeout|time ?out|null|none|undefined|(?:request|connection|translation"
    r"|generation) failed|http|\d{3}\s(?:error|bad|internal|not)"
    r"|(?:token|rate|length|context)[ _]limit|server (?:overloaded|error|busy)|(?:the )?(?:model|server"
    r"|service) (?:did not|didn['’]t|is|was|has|returned)"
    r"|content (?:blocked|filtered|violat)|this request violates|\{\s*[\"']?(?:error|code|status|message)|<error)"
    r"|[(（\[【<]?\s*(?:此处|内容|回答|答案|译文|结果)?(?:为?空(?:白)?|无内容|无结果|empty|no (?:content|output"
    r"|result|response))\s*[)）\]】>]?\W*$"
    r"|\S{0,6}稍[后候]再试)",
    re.IGNORECASE,
)
_TO_WHO_ASKS = re.compile(
    r"^\W*(?:(?:麻烦|烦请|还请|劳烦|敬请|请)(?:您|你)?(?:先|再|重新|尽快|另行|及时)?(?:把"
    rf"|将)?[^，。！？]{{0,10}}(?:提供|补充|上传|发送|发给|传给|粘贴|附上|重试|更换|换一[张段个]|核对后)"
    rf"|(?:请|烦请)(?:您|你)(?!们)|(?:您|你)(?:还|似乎|好像|可能|是否|没有|尚未|忘)[^，。！？]{{0,8}}(?:提供|上传"
    r"|发送|附上|给出|忘)"
    r"|(?:还|尚|暂|我)?(?:没有?|未|并未)(?:能)?(?:收到|看到|接收到|获取到|检测到|识别到|识别|读取到|提供|附上?"
    rf"|上传|发现|给出)(?:到)?(?:任何|可用的?|有效的?|相关的?|您的?|你的?|可供\w{{1,2}}的)?{_MATERIAL}(?:内容"
    r"|文件)?\W*$"
    rf"|(?:没有|缺少|缺乏|无)(?:任何)?(?:可供|足够的?|可以|可)(?:分析|描述|翻译|判断|回答|参考)的?{_MATERIAL}?"
    rf"|我(?:还)?需要(?:更多|进一步|完整|具体)的?[^，。]{{0,6}}{_MATERIAL}|(?:我)?建议(?:您|你|咨询|查阅|参考|寻求"
    rf"|交由|请教)[^。]{{0,16}}(?:人士|专家|译本|版本|资料|机构|学者|老师|书籍)?"
    r"|(?:这段?|该|此|上传的|提供的)?(?:录音|音频|语音|图片|视频|文件|图像)(?:文件)?(?:似乎|好像|可能"
    r"|疑似)?(?:没有|未能?|没能)(?:上传|加载|附上|传输|发送)?(?:成功|完整)|(?:录音|音频|图片|文件|视频)(?:为空"
    r"|是空的|已损坏|不存在|已失效|打不开|无法打开|缺失)\W*$"
    r"|(?:换|聊|谈)(?:个|一个|点)?(?:别的|其他)?(?:话题|问题)?吧|我(?:们)?(?:更愿意|还是)(?:聊|谈|换))",
    re.IGNORECASE,
)
_DECLINES = re.compile(
    rf"^\W*(?:(?:很|非常|十分|实在|真的?)?(?:抱歉|对不起|不好意思|遗憾|惭愧)[，,：:。！!\s]*)?"
    r"(?:(?:这个?问题|这|此题)?(?:我|本人|本模型|本系统|本助手|小助手|助手|笔者|这里|目前|暂时|现在|以我的?(?:能力"
    rf"|水平)|作为[^，。]{{0,14}}[，,]?\s*我?)(?:还|也|暂时|目前|实在|真的|恐怕|对此|并|没有|的)*"
    rf"(?:{_CANT}(?:为您|直接|准确|对此|给出|作出|做出|替您)*(?:{_WORK}|提供|作答|完成|判断|协助|帮助|满足|说明"
    r"|给出|解释|辨认|感受|显示|执行|答)"
    rf"|无可奉告|无能为力|爱莫能助|答不上来|答不了|说不上来|做不到|不被允许|被禁止|不具备[^，。]{{0,8}}(?:能力|听力"
    rf"|视觉|听觉)|没有(?:听|看|识别|处理|分析|感受|视觉|听觉)[^，。]{{0,8}}(?:能力|功能)?\W*$"
    rf"|没有?能力[^，。]{{0,10}}|(?:还)?在学习中|暂时不会|不会(?:翻译|回答|这)|拒绝|谢绝|不打算|不愿|不想(?:翻译"
    r"|回答|描述)|才疏学浅|水平有限|能力有限)"
    rf"|(?:恕|容)(?:我|本人)?(?:难从命|{_CANT}|直言|不)|(?:水平|能力|篇幅|才疏学浅|知识|版权|条件|时间)(?:所限|有限"
    rf"|限制|原因)[，,][^。]{{0,12}}(?:不|无法|未能|难以|只能|恕)"
    rf"|(?:该|此|本|这(?:首|段|篇|个|类|种)?|以上|上述)(?:诗|词|文|曲|{_MATERIAL}|作品|内容|任务"
    rf"|请求)(?:的)?(?:{_WORK})?(?:目前|暂时|现在)?{_CANT}(?:被)?(?:{_WORK}|完成|作答|显示|提供|执行|给出)"
    rf"|{_CANT}(?:完成|执行|处理|满足)(?:该|此|这|您的?|本)?[^，。]{{0,4}}(?:任务|请求|操作|要求)"
    rf"|(?:因|由于)[^，。]{{0,10}}(?:原因|限制|问题|规定|政策)[，,]?[^，。]{{0,6}}{_CANT}(?:{_WORK}|提供|作答|完成"
    r"|给出|显示)"
    rf"|这不(?:是|属于)我(?:能|可以|的)[^，。]{{0,10}}|我(?:是|只是|仅是|不过是)(?:一个|一名|一款)?(?:人工智能|AI"
    r"|语言模型|大模型|聊天机器人|机器人|程序|助手)"
    rf"|(?:翻译|转写|描述|分析|回答|判断|解读)(?:不[了出来]|不能)|[译说答写判]不[出了来上](?:来|译文)?\W*$)",
    re.IGNORECASE,
)


# Words about the task itself, or of a program that reports an error
_ABOUT_TASK = re.compile(
    rf"{_WORK}|{_MATERIAL}|译|任务|模型|助手|令牌|稍[后候]再试|显示|此处|答案|结果|[A-Za-z]{{3,}}", re.IGNORECASE
)
# Questions about what somebody says, asks for or advises, about machines that fail, and about rules
_ASKS_WHAT_IS_SAID = re.compile(
    r"怎[么样]说|说(?:了|的是)?(?:些)?(?:什么|自己|怎)|怎[么样]回|如何回应|(?:要求|建议|劝|提议|嘱咐|叮嘱|提醒|希望|请|让|叫)[^，。？]{1,8}(?:做|干)什么"
    r"|(?:建议|要求|提议|请求|嘱咐|叮嘱)(?:了|的)?(?:是)?什么"
    r"|登[录陆]|付款|支付|下载|联网|网络|系统|网站|平台|软件|电脑|手机|打印机|服务器|法律|法规|合同|规定"
)


@reads_shortened
def quotes(question: str) -> bool:
    """Return whether a question may be answered by a request, a refusal or a message of a program.

    >>> quotes("大夫建议什么？"), quotes("为什么无法付款？"), quotes("男子为什么要去车站？")
    (True, True, False)
    """
    return _ASKS_WHAT_IS_SAID.search(question) is not None


def is_one_character(question: str, answer: str) -> bool:
    """Return whether a question asks for a character and the answer is one, which may mean `empty` or `none`.

    >>> is_one_character("诗眼是哪一个字？", "空"), is_one_character("画中有什么？", "空")
    (True, False)
    """
    return len(re.sub(r"[\W_]", "", answer)) == 1 and _ONE_CHARACTER.search(question) is not None


@reads_shortened
def excuse_fault(text: str, *, quoted: bool = False) -> Fault | None:
    """Return the fault that an answer or a description is a program's message, a request, or declines.

    None if it is what was asked for. quoted: whether the text may be what somebody says in the material, such as a
    translation in which people speak; then only a text that is also about the task or the material is an excuse.

    >>> excuse_fault("服务繁忙，请稍后再试。")[0], excuse_fault("录音似乎没有上传成功。")[0]
    ('apology', 'apology')
    >>> excuse_fault("我认为他无法回家。"), excuse_fault("服务员请他稍后再来。"), excuse_fault("无法释怀的悲伤")
    (None, None, None)
    >>> excuse_fault("请您收下这匹马。", quoted=True), excuse_fault("请您提供原文。", quoted=True)[0]
    (None, 'apology')
    """
    if (alone := _ALONE.fullmatch(text.strip())) and text.strip():
        return "apology", f"it declines, or is empty: {alone[0].strip()[:40]!r}; write the text itself"
    if quoted and not _ABOUT_TASK.search(text):
        return None
    for pattern in (_PROGRAM, _TO_WHO_ASKS, _DECLINES):
        if match := pattern.search(text.strip()):
            return "apology", f"it declines, or asks for something: {match[0].strip()[:40]!r}; write the text itself"
    return None
