/** The one stylesheet of all pages: system fonts, one accent colour, light and dark. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #fff; --line: #dcdfe6; --field: #8a92a3;
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
  -webkit-text-size-adjust: 100%; overflow-wrap: break-word;
}
h1, h2, p, ul, dl, dd { margin: 0 }
h1 { font-size: 1.625rem; line-height: 1.25; letter-spacing: -.015em; font-weight: 650 }
h2 { font-size: 1.0625rem; line-height: 1.4; font-weight: 600 }
a { color: var(--accent); text-underline-offset: .15em }
a:hover { color: var(--accent-strong) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px }
.skip { position: absolute; left: -999rem }
.skip:focus { left: 1rem; top: 1rem; padding: .5rem 1rem; background: var(--card); z-index: 1 }
.bar, .foot, main { width: 100%; max-width: 64rem; margin: 0 auto; padding-inline: 1.25rem }
.bar { display: flex; align-items: center; justify-content: space-between; gap: 1rem; min-height: 4rem }
.brand { display: inline-flex; align-items: center; gap: .625rem; font-weight: 650; font-size: 1.0625rem; color: var(--text); text-decoration: none }
.brand svg { color: var(--accent); flex: none }
.bar nav { display: flex; align-items: center; gap: 1.25rem }
.bar nav a:not(.button) { color: var(--text); text-decoration: none }
.bar nav a:not(.button):hover { text-decoration: underline }
main { flex: 1; padding-block: 2.5rem 4rem }
.foot { padding-block: 1.25rem 2rem; color: var(--quiet); font-size: .875rem; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem }
.foot a { color: inherit }
.quiet { color: var(--quiet) }
.stack > * + * { margin-top: 1rem }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 2rem }
.narrow { max-width: 27rem; margin-inline: auto }
.hero { max-width: 42rem; padding-block: 2rem 3.5rem }
.hero h1 { font-size: clamp(2rem, 1.5rem + 2.6vw, 3rem); line-height: 1.1; letter-spacing: -.025em }
.hero p { margin-top: 1.25rem; font-size: 1.1875rem; color: var(--quiet); max-width: 36rem }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 2rem }
.grid { display: grid; gap: 1.25rem; grid-template-columns: repeat(auto-fit, minmax(16.5rem, 1fr)); padding: 0; list-style: none }
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
form.fields > * + * { margin-top: 1.25rem }
label { display: block; font-weight: 600; font-size: .9375rem }
label .quiet { font-weight: 400 }
input, select {
  display: block; width: 100%; min-height: 2.75rem; margin-top: .375rem; padding: .5rem .75rem; border: 1px solid var(--field);
  border-radius: 9px; background: var(--card); color: var(--text); font: inherit;
}
input:focus-visible, select:focus-visible { outline-offset: 0; border-radius: 9px }
[aria-invalid='true'] { border-color: var(--bad) }
.hint, .fault { margin-top: .375rem; font-size: .875rem }
.hint { color: var(--quiet) }
.fault { color: var(--bad); font-weight: 500 }
.note { border-radius: 9px; padding: .75rem 1rem; background: var(--tint) }
.note.bad { background: var(--bad-tint); color: var(--bad) }
.note.good { background: var(--good-tint); color: var(--good) }
.note a { color: inherit }
.facts { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .5rem 1.25rem }
.facts dt { color: var(--quiet); white-space: nowrap }
.facts dd { white-space: pre-line; overflow-wrap: anywhere }
.code { font-family: ui-monospace, SFMono-Regular, Menlo, monospace; font-size: .875rem; color: var(--quiet) }
@media (max-width: 30rem) {
  main { padding-block: 1.25rem 3rem }
  .card { padding: 1.5rem 1.25rem }
  .hero { padding-block: 1.25rem 2.5rem }
  .actions .button { flex: 1 1 100% }
  .bar nav { gap: 1rem }
}
`
