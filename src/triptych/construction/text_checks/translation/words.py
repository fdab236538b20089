"""Words that mean the same in English, German, Italian and Chinese, by which a line and its translation are compared.

The list has words of everyday life and of talks that have few other meanings. It tells whether two lines can be about
the same; it doesn't tell whether a translation is right.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from triptych.construction.text_checks.scripts import primary
from triptych.construction.text_checks.shortened import with_plain_spaces

# English, German, Italian and Chinese; alternatives by `/`. The words of English and Italian begin so, German ones have
# it inside; `=` marks a whole word (English ones also with `s`).
_TABLE = """
snow schnee nev 雪
rain =regen/regnet/regner/niederschlag piogg/piov/pioves 雨
=wind/=windy =wind/windig vento/ventos 风
cloud wolke nuvol 云
storm sturm/gewitter/unwetter tempest/temporal 暴/风雨/风暴
=ice =eis/eisig ghiacci 冰
=sun/sunny/sunlight/sunshine sonne =sole/soleggiat/solar 太阳/阳光/日
moon mond =luna/lunar 月
star$ stern stell 星
=sky himmel ciel 天空/天
=sea/seas/ocean meer/=see/ozean/nordsee/ostsee =mare/mari/marin/ocean 海
beach strand/stränd spiagg 海滩/沙滩
=coast/coastal/shore küste/ufer cost/riva/litoral/rive 海岸/岸
river fluss/flüsse fium 河/江
lake =see/seen/sees lago/laghi 湖
water wasser acqu 水
=fire/fires feuer/brand/brennt fuoc/incendi 火
mountain berg montagn 山
=hill/hills hügel collin 山/丘
forest/woods wald/wäld forest/bosc 森林/林
=tree/trees baum/bäum alber 树
flower blume/blüte fior 花
grass =gras/wiese erba 草
garden garten/gärten giardin 花园/园
=field/fields feld/äcker/acker/wiese camp 田/场/领域
=sand/sandy =sand/sandig/sande sabbi 沙
stone/rock stein/fels pietr/sass/rocc 石/岩
=bird/birds vogel/vögel uccell 鸟
=bee/bees/beehive/hive biene/bienen/imker =ape/api/alvear/arnia/arnie/apicolt 蜜蜂/蜂
moth$ falter/motte falen 蛾
butterfl schmetterling/falter farfall 蝴蝶
insect insekt insett 昆虫/虫
=dog/dogs/puppy hund cane/cani/cagn 狗/犬
=cat/cats/kitten katze/kater gatt 猫
horse pferd cavall 马
=cow/cows/cattle kuh/kühe/rind mucc/vacc/bovin 牛
sheep schaf pecor 羊
=fish/fishes/fishing fisch pesc/pescator 鱼
mouse/=mice maus/mäuse topo/topi/mouse 鼠
wolf/wolves wolf/wölfe lupo/lupi 狼
egg$ =ei/eier uov 蛋/卵
milk milch latte 奶
bread brot pane 面包
=tea =tee/tees =tè/=the 茶
coffee kaffee caff 咖啡
=meat fleisch carn 肉
fruit frucht/früchte/obst frutt 果
apple$ apfel/äpfel mela/mele 苹果
soup suppe zupp/minestr 汤
=salt salz sale/salin 盐
sugar zucker zuccher 糖
breakfast frühstück colazion 早餐/早饭
dinner/supper abendessen cena/cene/cenar 晚餐/晚饭
lunch mittagessen pranz 午餐/午饭
kitchen küche cucin 厨房
=door/doors =tür/türen/haustür/tor porta/porte 门
window fenster finestr 窗
=roof/roofs dach/dächer tett 屋顶/房顶
=house/houses haus/häus cas/abitazion 房/家/屋
=bridge/bridges brücke pont 桥
church kirch/dom/kathedral chies/parrocchi 教堂/教会/教区
=tower/towers turm/türme torr 塔
museum museum/museen muse 博物馆
library/libraries bibliothek/bücherei bibliotec/libreri 图书馆/库
hospital krankenhaus/klinik/spital ospedal 医院
=shop/shops/store$ laden/geschäft/läden negoz/bottega/archivi 商店/店/存
market markt/märkt mercat 市场
village dorf/dörf villagg/paes 村
=town/towns/=city/cities stadt/städt citt 城/市/镇
=street/streets straße/gasse strad/via/vie 街/路
=road/roads straße/weg strad/vie 路/街
=lamp/lamps/streetlight lampe/laterne/leuchte lampad/lampion/luc 灯
=train/trains/railway =zug/züge/=bahn/eisenbahn/bahnhof tren/ferrovi 火车/列车/铁路
tram$ straßenbahn/=tram/trams tram 电车/有轨
=bus/buses =bus/busse/autobus/bussen autobus/=bus/pullman 公交/公共汽车/巴士/公车
=car/cars =auto/autos/wagen/fahrzeug auto/macchin/vettur 车
=ship/ships/=boat/boats schiff/=boot/boote nave/navi/barc 船
plane$/airplane/aircraft flugzeug aere 飞机
drone$ drohne dron 无人机
bicycle/=bike/bikes fahrrad/=rad biciclett/=bici 自行车/单车
station station/bahnhof/haltestelle stazion/fermat 站
airport flughafen aeroport 机场
ticket fahrkarte/ticket/karte bigliett 票
teacher lehrer/lehrkraft insegnant/maestr/docent 老师/教师
student student/studierende/schüler student/alunn/alliev/studios 学生
=child/children/kids =kind/kinder bambin/figl/infanzi 孩/儿童/小朋友
doctor$ arzt/ärzt/doktor medic/dottor 医生/大夫/博士
=nurse/nurses krankenschwester/pfleger/pflegekraft infermier 护士
farmer bauer/bäuer/landwirt contadin/agricolt/allevator 农民/农夫/农
=mother/mothers mutter/mütter madr/mamma 母亲/妈
=father/fathers vater/väter padr/papà/babbo 父亲/爸
sister schwester sorell 姐/妹
brother bruder/brüder fratell 兄/弟/哥
grandmother/grandma großmutter/oma nonn 奶奶/祖母/外婆/姥姥
grandfather/grandpa großvater/opa nonn 爷爷/祖父/外公/姥爷
uncle onkel =zio/zii 叔/舅/伯
=aunt/aunts tante =zia/zie 阿姨/姑/姨/婶
daughter tochter/töchter figli 女儿
friend$ freund amic/amich 朋友
neighbo$/neighbor/neighbour nachbar vicin 邻居/邻
volunteer freiwillig/ehrenamt volontar 志愿
historian historiker storic 历史学家/史学
=queen königin regin 女王/蜂王/王后
=king/kings könig =re/sovran 国王/王
school schul scuol 学校/校
universit universität/hochschule universit/ateneo 大学
=book/books buch/bücher libr 书
=letter/letters brief/buchstabe letter 信/字母/字
=page/pages seite pagin 页
newspaper zeitung giornal 报纸/报
=picture/pictures/image$/images/photo bild/foto/aufnahme/abbild fot/immagin/quadr/figur 图/照片/画/影像
camera kamera fotocamer/telecamer/macchina 相机/摄像/摄影
film$/movie$ film film 电影/片
music musik music 音乐
=song/songs lied/song/gesang canzon/cant/brani 歌
piano klavier pianofort/piano 钢琴
violin geige/violine violin 小提琴
guitar gitarre chitarr 吉他
sound/noise klang/geräusch/laut/schall/lärm/ton/rausch suon/rumor/audio 声/音/噪
voice stimme voc 声音/语音/嗓
microphone mikrofon/mikrophon microfon 麦克风/话筒
=ear/ears =ohr/ohren orecchi 耳
=eye/eyes auge occhi 眼
=hand/hands =hand/hände mano/mani/manual 手
=head/heads kopf/köpf test/cap 头
heart =herz/herzen/herzschlag cuor 心
=blood blut sangu 血
skin haut/häut pell/cutan 皮肤
disease/illness krankheit/erkrankung malatti 病
=pain schmerz dolor 痛/疼
medicine medizin/medikament/arznei medicin/farmac 药/医学
patient$ patient pazient 患者/病人
winter winter invern 冬
summer sommer estat/estiv 夏
spring frühling/frühjahr/feder primaver/moll 春/弹簧
autumn herbst autunn 秋
morning morgen/früh/vormittag mattin 早/上午/晨
evening abend ser 晚/傍晚
=night/nights nacht/nächt/nachts nott 夜/晚
yesterday gestern ieri 昨
tomorrow morgen domani 明
today heut oggi/odiern 今
weekend wochenende/wochenend weekend/settiman 周末
monday montag lunedì 周一/星期一
tuesday dienstag martedì 周二/星期二
wednesday mittwoch mercoledì 周三/星期三
thursday donnerstag giovedì 周四/星期四
friday freitag venerdì 周五/星期五
saturday samstag/sonnabend sabat 周六/星期六
sunday sonntag domenic 周日/星期日/星期天
=red =rot/rote/roten/roter/rotes ross 红
=blue blau blu/azzurr 蓝
=green grün verd 绿
yellow gelb giall 黄
=white weiß bianc 白
=black schwarz ner 黑
=grey/=gray grau grig 灰
=dark/darkness dunkel/dunkl/finster bui/scur 暗/黑
=bright hell/leuchtend luminos/brillant/chiar 亮/明
=light/lights licht/leicht/lampe/hell/leucht luc/legger/chiar 光/轻/灯/亮
=wet nass/nasse/feucht bagnat/umid 湿
=dry trocken sec/asciutt 干
=cold/colder kalt/kälte/kälter fredd 冷/寒
=hot/=warm heiß/warm/wärme cald 热/暖
=old/older =alt/alte/alten/alter/altes/älter/ehemalig vecch/antic/anzian/ann 老/旧/岁/古/原
=young/younger jung/jünger giovan 年轻/年幼
=cheap/cheaper billig/günstig/preiswert economic/convenient/costan 便宜/廉
=expensive teuer/teur/kostspielig costos/car 贵/昂
=empty leer vuot 空
=full =voll/volle/voller/vollständig pien/complet 满/全/整
=deep/deeper/depth tief/tiefe profond 深
=high/higher/highest/height hoch/höh/hohe alt/elev 高
=fast/faster/fastest/quick/quickly/speed schnell/rasch/geschwind veloc/rapid 快/速
=slow/slower/slowly langsam lent/piano 慢/缓
=clean/cleaned/cleaning sauber/reinig/rein pulit/puli 清/干净
broken/broke kaputt/brach/bricht/zerbroch/gebroch rott/romp 坏/破/断
tired müd stanc 累/疲
hungry/hunger hung fam 饿
=sleep/sleeps/sleeping/slept/asleep schlaf/schläf/schlief dorm/sonn/addorment 睡
=drink/drinks/drinking/drank trink/trank bev/bere 喝/饮
=eat/eats/eating/=ate/eaten/feed/feeds/feeding =isst/=essen/=aß/frisst/fressen/gefressen/gegessen/fütter/ernähr mang/nutr/alliment/pasc 吃/食/喂/餐
=cook/cooks/cooking/cooked koch cucin/cuoc/cuoc 做饭/煮/烹/炒/厨
=buy/buys/bought/buying kauf compr/acquist 买/购
=sell/sells/sold/selling verkauf vend 卖/售/销
=pay/pays/paid/payment =zahl/bezahl/zahlung/aufmerksam pag 付/支付/交/注意
=write/writes/wrote/written/writing schreib/schrieb/schrift/verfass scriv/scritt/scriss/redatt 写/书/笔
=read/reads/reading/reader =lesen/liest/=las/gelesen/leser/lektüre legg/lett 读/阅/看
=sing/sings/singing/sang/singer =sing/singt/sang/gesang/sänger cant 唱/歌
=dance/dances/dancing tanz/tänz danz/ball 舞
=swim/swims/swimming/swam schwimm nuot 游泳/游
=fly/flies/flew/flying/flight =flieg/fliegt/flog/flug vol 飞
=walk/walks/walked/walking =geht/gehen/ging/lauf/lief/spazier/wander/zu\u00a0fuß/abgelauf cammin/pass/piedi/percorr 走/步
=run/runs/ran/running lauf/läuft/lief/renn/betrieb/führ/gelaufen cors/corr/esegu/gir/funzion 跑/运行
=drive/drives/drove/driving/driver fahr/fähr/fuhr/treib guid/condu 驾/开/驱/司机
=wait/waits/waited/waiting wart aspett/attes/attend 等/候
=laugh/laughs/laughing/laughter lach rid/ris 笑
=cry/cries/crying/cried =wein/weint/schrei piang/pians/grid 哭/叫
=rise/rises/rose/risen steig/stieg/gestiegen aument/salir/salit/sorg/cresc 升/上涨/增/涨
=fall/falls/fell/fallen/drop/drops/dropped fall/fäll/fiel/sink/stürz/sank cad/diminu/scen/cal 落/降/跌/掉/摔/下
=open/opens/opened/opening öffn/offen/geöffnet/eröffn apr/apert 开/打开
=close/closed/closes/closing schließ/geschlossen/nah/schloss/zu chiu/vicin 关/闭/近/接近
=begin/begins/began/start/starts/started beginn/anfang/angefangen/start/gestart/los/fäng/zunächst inizi/cominc/avvi/part/prim 开始/始/起/先/首
=stop/stops/stopped =stopp/halt/hielt/hör/aufhör/anhalt ferm/smett/interrom/sost 停/止/站
=ask/asks/asked/asking =frag/gefragt/frage/bitt/bat chied/domand/chies 问/请/求
=answer/answers/answered antwort/beantwort rispos/rispond 答/回/解
=question/questions frag domand/quesit/questio 问/题
=help/helps/helped/helper/helping helf/hilf/half/hülfe aiut/assist 帮/助
=thank/thanks dank/vielen grazi/ringrazi 谢/感
=attention aufmerksam/attention attenzion 注意/聆听/关注/倾听
=show/shows/showed/shown/showing zeig/gezeigt/dar/vorführ mostr/most/dimostr/present/illustr 显示/展示/表明/示/介绍/看/证明
=measure/measures/measured/measuring/measurement mess/maß/mißt/misst/gemessen misur 测/量/衡
=weigh/weighs/weighed/weight/scale$/scales gewicht/wieg/wog/waage/skal/gewogen pes/bilanc/scal 重/称/秤/权/尺
=count/counts/counted/counting zähl/anzahl/zahl cont 数/计/统
=learn/learns/learned/learning lern/gelernt impar/apprend 学
=teach/teaches/taught lehr/unterricht/beibring/gelehrt insegn 教
=play/plays/played/playing spiel gioc/suon/ruol 玩/弹/打/演/播/扮
=win/wins/=won gewinn/gewann/gewonnen/sieg vinc/vint/vitt 赢/胜
=lose/loses/lost/losing verlier/verlor/verlust perd/pers 失/输/丢
=find/finds/=found/finding =find/findet/gefunden/fand/befund/ergebn/feststell/erkenn trov/scop/riscontr/risult/emers/individu 找/发现/现/结果/得
=search/searches/searched such cerc/ricerc 搜/找/寻
=repair/repairs/repaired reparier/reparatur/ausbesser ripar/aggiust 修
=paint/paints/painted/painting =mal/malt/gemalt/gemälde/streich/strich/gestrichen dipin/pittur/vernici/color 画/漆/涂/绘
=build/builds/built/building bau/gebaut/gebäude/aufbau/konstru/erstell costru/edific/crea 建/造/构/楼
=live/lives/lived/living =leb/lebt/wohn/gewohnt viv/abit/vit 住/活/生
=die/dies/died/death/dead =stirb/starb/sterb/gestorben/=tod/tot/tote mor 死/亡/去世
=born geboren nat/nascit 出生/生于/诞生
=love/loves/loved lieb am/piac/ador 爱/喜欢
=money geld/finanz sold/denar 钱/资金
=price/prices preis prezz/cost 价
company/companies unternehmen/firma/firmen aziend/società/impres/compagn 公司/企业
=work/works/worked/working/worker arbeit/funktion/wirk lavor/oper/funzion 工作/作/劳/有效/研究/班
=job/jobs arbeit/stelle/beruf/aufgabe/auftrag/job lavor/impieg/mestier/compit 工作/职/任务
=office/offices büro/amt uffici 办公/室/处
meeting besprechung/sitzung/treffen/meeting/versammlung riunion/incontr 会议/会/见
=hour/hours stunde/stündig/stündl/uhr =ora/ore/orari/oraria 小时/钟头/点
=minute/minutes minut/minüt minut 分钟/分
month monat/monatig mes/mensil 月
year$ jahr/jährig ann 年/岁
=war/wars krieg/kriegs guerr 战
peace fried pac/pacific 和平
=law/laws gesetz/recht legg/dirit/giurid 法
government regierung govern 政府
=tax/taxes steuer tass/impost/fisc 税
=oil/oils =öl/erdöl oli/petroli 油
plastic plastik/kunststoff plastic 塑料
=bottle/bottles flasche bottigli 瓶
=rope/ropes =seil/seile/seilen/tau cord/fun 绳
=net/nets/network netz/netzwerk ret 网
=wood/wooden holz/hölz legn 木
=paper/papers papier/artikel/arbeit/paper/veröffentlich/studie/aufsatz cart/articol/paper/lavor/pubblicazion/document/studio 纸/论文/文章/工作
sentence satz/sätze/sätzen fras/sentenz/period 句
=word/words wort/wört parol/lessic/termin/vocab 词/字/单词/话
language sprach/sprachig lingu 语
translat übersetz/übertrag tradu 译
speaker sprecher/redner/lautsprecher/referent relator/parlant/orator/altoparlant/speaker 说话/讲/演讲/扬声
speech sprach/rede/äußerung parlat/discors/voc/vocal 语音/演讲/讲/说话/言
grammar grammati grammatic 语法
=meaning/meanings bedeut/sinn signific/sens 意/含义
dictionar wörterbuch/lexikon/wörterbüch dizionari 词典/字典
annotat annot/beschrift annot/etichett 标注/注释/注解/标
dataset/datasets/corpus/corpora datensatz/datensätz/korpus/korpora/datenmenge/dataset dataset/corpus/corpora/insiem/set/dati 数据集/语料/数据
=data daten dat 数据/资料
model$ modell/model modell 模型
=task/tasks aufgabe/task compit/attivit/task 任务/作业
train$/trained/training trainier/training/ausgebildet/schul/zug/züge/eisenbahn addestr/allen/tren/formazion/training 训练/培训/火车/列车
test$/tests/tested/testing test/prüf/getestet/erprob/klassenarbeit test/prov/verific 测/试/检
error$/errors fehl/irrtum/abweich error/sbagl 错/误
accuracy/accurate genau/akkur/treffsich/richtigkeit accurat/precision/esatt 准/精
=improve/improves/improved/improvement verbesser/besser/steiger/optim/fortschritt miglior/perfezion/progress 提高/改/提升/进步/优化
=compare/compares/compared/comparison/comparing vergleich/gegenüber/verglichen/im\u00a0gegensatz confront/parag/rispetto/compar 比/对照
=evaluate/evaluates/evaluated/evaluation/evaluating bewert/evalu/auswert/beurteil valut 评
=result/results/resulting ergebn/resultat/erziel/folg/führ risult/esit/porta 结果/成绩/导致/成果
method$/methods method/verfahren/ansatz/weise metod/approcc/tecnic/modalit 方法/方式/法/办法
=example/examples beispiel/exemplar/bsp esempi/ad\u00a0es/campion 例/样本/示例
=human/humans/=people/person mensch/leute/person/personen/human/menschlich uman/person/gent/uomo/uomini/popol 人
computer computer/rechner computer/calcolator/informatic 电脑/计算机
machine maschin macchin/automatic 机
software software/programm software/programm 软件/程序
=phone/phones/telephone telefon/handy telefon/cellular 电话/手机
=map/maps karte/landkarte/abbild/zuordn mapp/cart/associ 地图/图/映射
=temperature temperatur/wärme temperatur 温度/气温
energy energie/strom energi 能
=clock/clocks/=watch/watches uhr/beobacht/anschau/sieh orolog/guard/osserv 钟/表/看/观
=key/keys schlüssel/taste/wichtig/schlüsse chiav/tast 钥匙/键/关键
=bag/bags tasche/beutel/tüte/sack bors/zain/sacch 包/袋
=shoe/shoes schuh scarp 鞋
=hat/hats =hut/hüte/mütze cappell 帽
dress$/clothes kleid/kleidung vestit/abit/vest/indument 衣/裙/服
=glass/glasses =glas/gläser/brille bicchier/vetr/occhial 玻璃/杯/眼镜
=table/tables tisch/tabell tavol/tabell 桌/表
=chair/chairs stuhl/stühl/sessel/vorsitz sedi/poltron 椅
=bed/beds =bett/betten/beet lett 床
=wall/walls wand/wänd/mauer mur/paret 墙/壁
=floor/floors =boden/fußboden/etage/stock paviment/pian 地板/层/楼/地
"""  # noqa: E501
_Pattern = re.Pattern[str]


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[_Pattern, _Pattern, _Pattern, _Pattern], ...]:
    rows = []
    for line in _TABLE.strip().splitlines():
        en, de, it, zh = (with_plain_spaces(cell).split("/") for cell in line.split(" "))
        rows.append(
            (
                re.compile("|".join(_english(word) for word in en)),
                re.compile("|".join(rf"\b{word[1:]}\b" if word[0] == "=" else re.escape(word) for word in de)),
                re.compile("|".join(_italian(word) for word in it)),
                re.compile("|".join(zh)),
            )
        )
    return tuple(rows)


def _english(word: str) -> str:
    exact = word[0] == "=" or word[-1] == "$"
    return rf"\b{word.strip('=$')}{'s?' if exact else ''}" + (r"\b" if exact else "")


def _italian(word: str) -> str:
    return rf"\b{word[1:]}\b" if word[0] == "=" else rf"\b{re.escape(word)}"


_LANGUAGES = ("en", "de", "it", "zh")


@lru_cache(maxsize=4_096)
def meanings_in(text: str, language: str) -> frozenset[int]:
    """Return the numbers of the words of the list that a text has; none in a language that the list hasn't.

    >>> meanings_in("Snow fell on the old bridge.", "en") == meanings_in("Schnee fiel auf die alte Brücke.", "de")
    True
    """
    if (short := primary(language)) not in _LANGUAGES:
        return frozenset()
    column, low = _LANGUAGES.index(short), unicodedata.normalize("NFC", with_plain_spaces(text)).lower()
    return frozenset(number for number, row in enumerate(_patterns()) if row[column].search(low))
