"""Makes the font that ships with Triptych: the common characters of Noto Sans CJK SC, about a quarter of them.

    apt-get download fonts-noto-cjk && dpkg -x fonts-noto-cjk_*.deb noto
    python -m tools.typeface noto/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc

The characters: all of GB 2312 (simplified Chinese, kana, Greek, Cyrillic), their traditional forms, the 5,401 most
common ones of Big5, the first level of JIS X 0208 (Japanese), and those of European languages and of pinyin. Outlines
become TrueType's, which PDF files can hold, and lines are as high as those of most fonts. The family is called
`Triptych CJK`, because this is a modified version. The same source gives the same bytes.
"""
