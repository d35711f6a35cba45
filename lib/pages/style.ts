/** The one stylesheet of all pages: system fonts, one accent color, light and dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --line: #dcdfe6; --field: #7f8798;
  --text: #1a1d23; --quiet: #565e6e; --accent: #3451b2; --accent-strong: #28408f; --on-accent: #fff;
  --tint: #eaeefb; --bad: #b3261e; --bad-tint: #fdecea; --good: #1c6b45; --good-tint: #e6f4ec;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #14161a; --card: #1c1f25; --line: #343943; --field: #7d8697;
    --text: #eceef2; --quiet: #a9b0bd; --accent: #9db1ff; --accent-strong: #b9c7ff; --on-accent: #10142a;
    --tint: #242a3f; --bad: #ff9d94; --bad-tint: #3a201e; --good: #7fd6a8; --good-tint: #18301f;
  }
}
*, *::before, *::after { box-sizing: border-box }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column; background: var(--page);
  color: var(--text); font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif;
  -webkit-text-size-adjust: 100%; overflow-wrap: anywhere;
}
h1, h2, h3, p, ul, dl, dd { margin: 0 }
h1 { font-size: 1.625rem; line-height: 1.25; letter-spacing: -.015em; font-weight: 650 }
h2 { font-size: 1.0625rem; line-height: 1.4; font-weight: 600 }
h3 { font-size: 1rem; line-height: 1.4; font-weight: 600 }
a { color: var(--accent); text-underline-offset: .15em }
a:hover { color: var(--accent-strong) }
/* The parts of a date or a time have the focus one by one, within their field. */
:focus-visible, input:focus-within { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px }
.skip { position: absolute; left: -999rem }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--card); z-index: 1 }
.bar, .foot, main { width: 100%; max-width: 64rem; margin: 0 auto; padding-inline: 1.25rem }
.bar, .button, .badge, .sections, th { overflow-wrap: normal }
.bar { display: flex; align-items: center; justify-content: space-between; gap: 1rem; min-height: 4rem }
.brand { display: inline-flex; align-items: center; gap: .625rem; font-weight: 650; font-size: 1.0625rem; color: var(--text); text-decoration: none }
.brand svg { color: var(--accent); flex: none }
.bar nav { display: flex; align-items: center; gap: 1.25rem }
.bar nav a { white-space: nowrap }
.bar nav a:not(.button) { padding-block: .5rem; color: var(--text); text-decoration: none }
.bar nav a:not(.button):hover { text-decoration: underline }
main { flex: 1; padding-block: 2.5rem 4rem }
.foot { padding-block: 1.25rem 2rem; color: var(--quiet); font-size: .875rem; display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem 1.25rem }
.foot a { color: inherit; padding-block: .25rem }
.quiet { color: var(--quiet) }
.stack > * + * { margin-top: 1rem }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 2rem }
.narrow { max-width: 27rem; margin-inline: auto }
.hero { max-width: 42rem; padding-block: 2rem 3.5rem }
.hero h1 { font-size: clamp(2rem, 1.5rem + 2.6vw, 3rem); line-height: 1.1; letter-spacing: -.025em }
.hero p { margin-top: 1.25rem; font-size: 1.1875rem; color: var(--quiet); max-width: 36rem }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 2rem }
.grid { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(min(16.5rem, 100%), 1fr)); padding: 0; list-style: none }
.grid .card { padding: 1.5rem }
.grid p { margin-top: .5rem; color: var(--quiet) }
.button {
  display: inline-flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: .5rem 1.125rem;
  border: 1px solid transparent; border-radius: 9px; background: var(--accent); color: var(--on-accent);
  font: inherit; font-weight: 600; text-decoration: none; cursor: pointer;
}
.button:hover { background: var(--accent-strong); color: var(--on-accent) }
.button.plain { background: var(--card); border-color: var(--line); color: var(--text) }
.button.plain:hover { border-color: var(--field); background: var(--card); color: var(--text) }
.button.wide { width: 100% }
form.fields > :not([type="hidden"]) ~ * { margin-top: 1.25rem }
label { display: block; font-weight: 600; font-size: .9375rem }
label .quiet { font-weight: 400 }
input, select, textarea {
  display: block; width: 100%; min-height: 2.75rem; margin-top: .375rem; padding: .5rem .75rem; border: 1px solid var(--field);
  border-radius: 9px; background: var(--card); color: var(--text); font: inherit;
}
input[hidden] { display: none }
input:focus-within, select:focus-visible, textarea:focus-visible { outline-offset: 0; border-radius: 9px }
[aria-invalid='true'] { border-color: var(--bad) }
.hint, .fault { margin-top: .375rem; font-size: .875rem }
.hint { color: var(--quiet) }
.fault { color: var(--bad); font-weight: 500 }
.note { border-radius: 9px; padding: .75rem 1rem; background: var(--tint) }
.note.bad { background: var(--bad-tint); color: var(--bad) }
.note.good { background: var(--good-tint); color: var(--good) }
.note a { color: inherit }
.faults { padding-left: 1.25rem }
.secret { display: grid; gap: .25rem; margin-top: .5rem }
.secret code { padding: .5rem .75rem; border-radius: 6px; background: var(--card); color: var(--text); overflow-wrap: anywhere; user-select: all }
.facts { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .5rem 1.25rem }
.facts dt { color: var(--quiet); white-space: nowrap }
.facts.stacked { display: block }
.facts.stacked dt { white-space: normal }
.facts.stacked dd + dt { margin-top: .5rem }
.facts dd { white-space: pre-line; overflow-wrap: anywhere }
.code { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: .875rem; color: var(--quiet) }
.button.danger { background: var(--bad); color: var(--card) }
.button.danger:hover { filter: brightness(.92) }
textarea { resize: vertical }
.granted { padding-left: 1.25rem }
.granted li + li { margin-top: .375rem }
.choices { margin: 0; padding: 0; border: 0; min-width: 0 }
.choices legend { padding: 0; font-weight: 600; font-size: .9375rem }
.choices legend .quiet { font-weight: 400 }
.choice { display: flex; align-items: flex-start; gap: .625rem; padding-block: .5rem; font-weight: 400; font-size: 1rem; cursor: pointer }
.choice input { flex: none; width: 1.25rem; height: 1.25rem; min-height: 0; margin: .125rem 0 0; padding: 0; accent-color: var(--accent) }
.shop { max-width: 52rem; margin-inline: auto }
.shop section > h2 { margin-bottom: .625rem }
.shop > section { margin-top: 2rem }
.lead { font-size: 1.125rem; white-space: pre-line }
.contact { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem }
.places { list-style: none; padding: 0 }
.places strong { color: var(--text); font-weight: 600 }
.card.offers { list-style: none; padding: 0 }
.offer { position: relative; display: flex; justify-content: space-between; gap: 1.25rem; padding: 1.125rem 1.5rem }
.offer + .offer { border-top: 1px solid var(--line) }
.offer:hover { background: var(--tint) }
.offer:first-child { border-radius: 13px 13px 0 0 }
.offer:last-child { border-radius: 0 0 13px 13px }
.offer:only-child { border-radius: 13px }
.offer :is(h2, h3) a { text-decoration: none; color: var(--text) }
.offer :is(h2, h3) a::after { content: ''; position: absolute; inset: 0 }
.offer:hover :is(h2, h3) a { text-decoration: underline; color: var(--accent) }
.price { font-weight: 600; white-space: nowrap }
.filters { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(11rem, 100%), 1fr)); gap: 1rem; align-items: end }
.pick { display: grid; grid-template-columns: minmax(0, 23rem) minmax(0, 1fr); gap: 2.5rem }
.month-bar { display: flex; align-items: center; gap: .5rem; margin-bottom: .5rem }
.month-bar h2 { flex: 1 }
.step { display: inline-flex; align-items: center; justify-content: center; width: 2.75rem; height: 2.75rem; border-radius: 9px; font-size: 1.375rem; text-decoration: none }
.step:not(a) { color: var(--line) }
a.step:hover { background: var(--tint) }
.month table { width: 100%; border-collapse: collapse; table-layout: fixed }
.month th { font-size: .8125rem; font-weight: 500; color: var(--quiet); padding: .25rem 0 }
.month td { padding: 2px; text-align: center }
.month td > * { display: flex; align-items: center; justify-content: center; height: 2.75rem; border-radius: 9px }
.month td a { background: var(--tint); color: var(--accent); font-weight: 600; text-decoration: none }
.month td a:hover { outline: 2px solid var(--accent); outline-offset: -2px }
.month td a[aria-current] { background: var(--accent); color: var(--on-accent) }
.month .none { color: var(--quiet) }
h3.part { margin-top: 1.25rem; font-size: .875rem; color: var(--quiet) }
.shop > .narrow { width: 100%; margin-inline: 0 }
ul.times + p { margin-top: 1.25rem }
.times { list-style: none; padding: 0; margin-top: .5rem; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(6.25rem, 100%), 1fr)); gap: .5rem }
.times a {
  display: flex; flex-direction: column; align-items: center; justify-content: center; min-height: 2.75rem; padding: .375rem;
  border: 1px solid var(--field); border-radius: 9px; color: var(--text); text-decoration: none; font-weight: 500;
}
.times a:hover { border-color: var(--accent); background: var(--tint); color: var(--accent) }
.times small { color: var(--quiet); font-weight: 400 }
ul.dates { padding-left: 1.25rem }
.dates li { padding-block: .25rem }
.when { white-space: pre-line; font-weight: 600 }
.narrow .actions { margin-top: 1.5rem }
.fold summary { cursor: pointer; color: var(--accent); padding-block: .5rem }
.fold form { padding-top: .75rem }
code, pre { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: .875rem }
.docs { display: grid; grid-template-columns: 15rem minmax(0, 1fr); gap: 3rem }
.docs section + section { margin-top: 3rem }
.docs h2 { font-size: 1.375rem }
.contents { position: sticky; top: 1rem; align-self: start; max-height: calc(100vh - 2rem); overflow: auto; font-size: .9375rem }
.contents summary { padding: .375rem 0; font-weight: 600; cursor: pointer }
.contents > p a { display: block; padding: .375rem 0; font-weight: 600; color: var(--text) }
.contents ul { list-style: none; padding: 0 0 .5rem 1rem }
.contents li { padding-block: .25rem }
.contents a { text-decoration: none }
.contents a:hover { text-decoration: underline }
.operation { padding-block: 1.75rem; border-bottom: 1px solid var(--line); scroll-margin-top: 1rem }
.operation:target { border-left: 3px solid var(--accent); padding-left: 1rem }
.operation h3 { font-size: 1.0625rem }
.operation h3 a { color: inherit; text-decoration: none }
.operation h3 a:hover { text-decoration: underline }
.route { overflow-wrap: anywhere }
.method { font: 600 .8125rem ui-monospace, SFMono-Regular, Menlo, monospace; padding: .125rem .5rem; border-radius: 6px; background: var(--tint); color: var(--accent) }
.method.get { background: var(--good-tint); color: var(--good) }
.method.delete { background: var(--bad-tint); color: var(--bad) }
.fields-table { width: 100%; border-collapse: collapse; font-size: .9375rem }
.fields-table caption { text-align: left; font-weight: 600; padding-block: .25rem }
.fields-table th, .fields-table td { text-align: left; vertical-align: top; padding: .375rem .75rem .375rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere }
.fields-table th { font-weight: 500; width: 32% }
.fields-table td:nth-child(2) { width: 30% }
.fields-table thead { position: absolute; left: -999rem }
.tag { margin-left: .5rem; font-size: .75rem; color: var(--bad) }
pre { margin: 0; white-space: pre-wrap; overflow-wrap: anywhere; padding: .875rem 1rem; border: 1px solid var(--line); border-radius: 9px; background: var(--card) }
.bar nav a[aria-current] { font-weight: 600 }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap }
.settings { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: 3rem }
.settings > .stack > section, .settings > .stack > .card { margin-top: 1.75rem }
.settings form.fields { max-width: 34rem }
.sections ul { list-style: none; padding: 0; display: flex; flex-direction: column; gap: .125rem }
.sections a { display: block; padding: .5rem .75rem; border-radius: 9px; color: var(--text); text-decoration: none }
.sections a:hover { background: var(--tint) }
.sections a[aria-current] { background: var(--tint); color: var(--accent); font-weight: 600 }
.card.rows { list-style: none; padding: 0 }
.card.none { padding: 1.25rem 1.5rem; color: var(--quiet) }
.rows > li { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: flex-start; gap: .5rem 1.5rem; padding: 1.125rem 1.5rem }
.rows > li + li { border-top: 1px solid var(--line) }
.rows .about { flex: 1 1 16rem; min-width: 0; overflow-wrap: anywhere }
.facts-line { display: flex; flex-wrap: wrap; gap: .125rem 1rem; font-size: .9375rem }
.button.small { min-height: 2.25rem; padding: .25rem .75rem; font-size: .9375rem }
.badge { padding: 0 .5rem; border-radius: 6px; background: var(--tint); color: var(--accent); font-weight: 500 }
.badge.bad { background: var(--bad-tint); color: var(--bad) }
.badge.good { background: var(--good-tint); color: var(--good) }
/* Beside each other as long as both fit in whole. */
.from-to { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem .75rem }
.from-to > input { flex: 1 1 8.25rem; width: auto }
.from-to > div { flex: 1 1 8.75rem; min-width: 0 }
.from-to.dated > div { flex: 1 1 10rem }
.week { border-top: 1px solid var(--line) }
.week fieldset { padding-block: .75rem; border-bottom: 1px solid var(--line) }
.week legend { float: left; width: 7.5rem; padding-top: .625rem }
.week legend ~ * { margin-left: 7.5rem }
.week div + div { margin-top: .5rem }
.week input { min-width: 0; margin-top: 0; padding-inline: .5rem }
.week .fold summary { font-size: .9375rem; padding-block: .625rem }
.card > .rows { border: 1px solid var(--line); border-radius: 9px; padding: 0; list-style: none }
.card > .rows > li { padding: .75rem 1rem }
.acts { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: flex-start }
.inline { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center }
.inline select { width: auto; min-height: 2.25rem; margin: 0; padding: .25rem .5rem }
.many { columns: 14rem; column-gap: 1.5rem }
.many .choice { break-inside: avoid; padding-block: .25rem }
.sections.across ul { flex-flow: row wrap }
.may { margin: .25rem 0 0; padding-left: 1.25rem; flex-basis: 100% }
.tries { margin: 0; padding-left: 1.5rem; font-size: .875rem }
.confirm summary { cursor: pointer; color: var(--bad); padding-block: .375rem; font-size: .9375rem; font-weight: 500 }
.confirm form > * + * { margin-top: .75rem }
.confirm[open] { flex-basis: 100% }
.confirm[open] form { padding-top: .5rem }
@media (max-width: 48rem) {
  .settings { grid-template-columns: minmax(0, 1fr); gap: 1.5rem }
  .sections ul { flex-direction: row; flex-wrap: wrap; gap: .375rem }
  .sections a { padding: .375rem .75rem; border: 1px solid var(--line); background: var(--card) }
  .sections a[aria-current] { border-color: var(--accent) }
  .week legend { width: 100%; padding: 0 0 .5rem }
  .week legend ~ * { margin-left: 0; clear: left }
  .docs { grid-template-columns: minmax(0, 1fr); gap: 2rem }
  .contents { position: static; max-height: none }
  .fields-table tr { display: block; border-top: 1px solid var(--line); padding-block: .375rem }
  .fields-table th, .fields-table td { display: block; border: 0; padding: 0; width: auto !important }
  .fields-table td { color: var(--quiet) }
  .pick { grid-template-columns: minmax(0, 1fr); gap: 1.5rem }
}
@media (max-width: 30rem) {
  .card.pick { padding: 1rem .75rem 1.25rem }
  .card.offers { padding: 0 }
  .offer { padding: 1rem 1.125rem }
  .card.rows { padding: 0 }
  .rows > li { padding: 1rem 1.25rem }
  main { padding-block: 1.25rem 3rem }
  .card { padding: 1.5rem 1.25rem }
  .hero { padding-block: 1.25rem 2.5rem }
  .actions .button, .actions form { flex: 1 1 100% }
  .actions form .button { width: 100% }
  .bar nav { gap: 1rem }
}
/* The narrowest phones: what leads in stands beside the name, each in one line. */
@media (max-width: 22.5rem) {
  .bar { flex-wrap: wrap; gap: .25rem .5rem; padding-inline: 1rem }
  .brand { gap: .5rem; font-size: 1rem }
  .bar nav { gap: .5rem }
  .bar nav .button { padding-inline: .625rem }
  .bar nav a:not(.button) + a:not(.button) { margin-left: .5rem }
  .from-to > span { display: none }
}
/* A phone with letters twice as large: what else stands side by side has no room. */
@media (max-width: 16rem) {
  .bar, .foot, main { padding-inline: .5rem }
  .bar, .bar nav { flex-wrap: wrap; gap: .25rem 1rem }
  .bar { padding-block: .5rem }
  .card, .card.pick { padding: .75rem .5rem }
  [type='date'], [type='time'] { padding-inline: .25rem; font-size: clamp(.75rem, 8vw, 1rem) }
  .facts { display: block }
  .facts dt { white-space: normal }
  .facts dd + dt { margin-top: .5rem }
  .hero h1 { font-size: 1.375rem }
  .offer { display: block }
  .month-bar { flex-wrap: wrap }
  .month-bar h2 { flex-basis: 100% }
  .month th, .month td > * { overflow-wrap: normal; font-size: .5rem }
}
`
