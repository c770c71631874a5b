package draw

// style is the whole look. It uses no variables, since some programs that show SVG know none.
const style = `
text{font-family:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",Arial,sans-serif;fill:#5b6475}
.ground{fill:#fbfaf8}
.name{font-size:24px;font-weight:700;fill:#1d2330;letter-spacing:-.01em}
.serves{font-size:13px}
.id{font-size:13.5px;font-weight:650;fill:#1d2330}
.what{font-size:12px;fill:#3d4658}
.small{font-size:10.5px;fill:#7b8496}
.legend text{font-size:12px}
.outline{fill:#fff;stroke:currentColor;stroke-width:1.4;stroke-linejoin:round}
.conditional .outline{stroke-dasharray:6 4}
.mark{fill:currentColor}
.edge{fill:none;stroke:currentColor;stroke-width:1.6}
.edge:hover{stroke-width:3.2}
.soft{stroke-dasharray:.1 4.4;stroke-width:2.2;stroke-linecap:round}
.order{stroke-dasharray:8 5}
.tip{fill:currentColor;stroke:none}
.plain{color:#8c95a6}
.h0{color:#3a6fd8}.h1{color:#c8582c}.h2{color:#2a8c66}.h3{color:#8b4ecb}
.h4{color:#b07d08}.h5{color:#c43a79}.h6{color:#1a8798}.h7{color:#69792c}
@media (prefers-color-scheme:dark){
text{fill:#9aa4b8}
.ground{fill:#11141b}
.name,.id{fill:#eef1f7}
.what{fill:#c3cad8}
.small{fill:#8791a5}
.outline{fill:#1b202a}
.plain{color:#69748a}
.h0{color:#7ba6f7}.h1{color:#f2946c}.h2{color:#5ccda1}.h3{color:#bf97f2}
.h4{color:#e3b950}.h5{color:#f381b2}.h6{color:#56c8d8}.h7{color:#b3c76b}
}
`
