import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { platform } from '../platform.ts'
import { missing, readSteps, STRICTLY } from '../readme.ts'
import { authorize, decide, leadsTo, makeClient, signedInAccount } from './world.ts'

it('README, Act for users by OAuth: gives the answers it shows', async () => {
  const user = await signedInAccount()
  const { clientId, clientSecret } = await makeClient(user)
  const folder = mkdtempSync(path.join(tmpdir(), 'almanac-oauth-'))
  const demo = path.join(folder, 'demo.json')
  writeFileSync(demo, JSON.stringify({ oauth: { confidential: { clientId, clientSecret } } }))
  const steps = readSteps('Act for users by OAuth')
  const script = steps
    .map(({ command }) => `${command}\nprintf '\\036'`)
    .join('\n')
    .replaceAll('http://localhost:8787', platform().url)
    .replaceAll('./.data/demo.json', demo)
  const run = spawn('bash', [...STRICTLY, script])
  let printed = ''
  let faults = ''
  run.stderr.on('data', (chunk: Buffer) => {
    faults += chunk
  })
  for await (const chunk of run.stdout as AsyncIterable<Buffer>) {
    const hadAddress = printed.includes('code_challenge_method=S256\n')
    printed += chunk
    if (hadAddress || !printed.includes('code_challenge_method=S256\n')) continue
    const address = new URL(/http\S+authorize\S+/.exec(printed)?.[0] ?? '')
    const page = await authorize(address.searchParams, user.cookie)
    const back = leadsTo(await decide(page.text, user.cookie))
    run.stdin.write(`${back.searchParams.get('code')}\n`)
  }
  rmSync(folder, { recursive: true, force: true })
  expect(faults).toBe('')
  const answers = printed.split('\u001e')
  const lacking = steps.flatMap(({ answer }, i) => {
    const shown = JSON.parse(
      JSON.stringify(answer ?? null).replace('"enterprise"', `"${user.username}"`),
    )
    return answer === undefined ? [] : missing(shown, JSON.parse(answers[i]!), '', `step ${i}`)
  })
  expect(lacking).toEqual([])
  expect(steps.filter(step => step.answer !== undefined)).toHaveLength(4)
})
