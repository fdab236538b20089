"""Folders in the layout of the released data sets, and their Records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from triptych.construction import datasets
from triptych.construction.record import Record


def laid(folder: Path, **files: str | bytes | None) -> Path:
    """Files by path: content, or empty media for None."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content if isinstance(content, bytes) else (content or "").encode())
    return folder


def read(name: str, folder: Path) -> list[Record]:
    return list(datasets.records(name, folder))


def only(name: str, folder: Path) -> dict[str, Any]:
    (record,) = read(name, folder)
    return record.fields


VGG = {
    "vggsound.csv": '---g-f_I2yQ,1,"people marching",test\n--0PQM4-hqg,30,"waterfall burbling",train\n',
    "video/---g-f_I2yQ_000001.mp4": None,
    "audio/---g-f_I2yQ_000001.wav": None,
}


URMP = {
    "Dataset/01_Jupiter_vn_vc/AuMix_01_Jupiter_vn_vc.wav": None,
    "Dataset/01_Jupiter_vn_vc/AuSep_1_vn_01_Jupiter.wav": None,
    "Dataset/01_Jupiter_vn_vc/AuSep_2_vc_01_Jupiter.wav": None,
    "Dataset/01_Jupiter_vn_vc/Vid_01_Jupiter_vn_vc.mp4": None,
    "Dataset/01_Jupiter_vn_vc/Notes_1_vn_01_Jupiter.txt": "0.1 440 0.5",
    "Dataset/Supplementary_Files/readme.txt": "",
}


def paper(number: int, *, video: str = "", more: str = "") -> str:
    """A paper as in data/xml/2023.acl.xml, with markup in title and abstract."""
    return f"""
    <paper id="{number}">
      <title><fixed-case>S</fixed-case>afe<fixed-case>C</fixed-case>onv {number}: Explaining Behavior</title>
      <author><first>Mían{number}</first><last>Zhang</last><affiliation>Soochow University</affiliation></author>
      <author><first>Lifeng</first><last>Jin</last></author>
      <pages>22-35</pages>
      <abstract>We count <i>swifts</i> &amp; write <tex-math>x_{{1}}</tex-math>;
        see <url>https://github.com/x/y</url>.</abstract>
      <url hash="8f3d4de4">2023.acl-long.{number}</url>
      <bibkey>zhang-{number}</bibkey>
      <doi>10.18653/v1/2023.acl-long.{number}</doi>
      {video}{more}
    </paper>"""


def collection(papers: str, volume: str = "long") -> str:
    return f"""<?xml version='1.0' encoding='UTF-8'?>
<collection id="2023.acl">
  <volume id="{volume}" ingest-date="2023-07-08" type="proceedings">
    <meta><booktitle>Proceedings</booktitle><month>July</month><year>2023</year><venue>acl</venue></meta>
    <frontmatter><url hash="2d191615">2023.acl-{volume}.0</url></frontmatter>{papers}
  </volume>
</collection>
"""


def anthology(root: Path, count: int) -> Path:
    """A folder of the Anthology with `count` recorded papers, two without a video, and one whose video is withheld."""
    papers = "".join(paper(n, video=f'<video href="2023.acl-long.{n}.mp4"/>') for n in range(1, count + 1))
    papers += paper(900) + paper(901) + paper(902, video='<video href="2023.acl-long.902.mp4" permission="false"/>')
    (root / "acl/data/xml").mkdir(parents=True)
    (root / "acl/data/xml/2023.acl.xml").write_text(collection(papers), encoding="utf-8")
    old = collection(paper(1, video='<video href="https://vimeo.com/384477610" tag="video"/>'), "main")
    old = old.replace("2023.acl", "P15.x").replace("<year>2023", "<year>2015")
    (root / "acl/data/xml/P15.xml").write_text(old, encoding="utf-8")
    return root / "acl"
