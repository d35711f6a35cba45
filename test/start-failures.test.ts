import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Failure } from '#dev/failure.ts'
import { startPlatform } from '#dev/platform.ts'
import { startPostgres } from '#dev/postgres.ts'
import { readStartTime } from '#dev/processes.ts'
import { queryDatabase } from './database.ts'
import { until } from './events/receiver.ts'
import { platform } from './platform.ts'

const root = mkdtempSync(path.join(tmpdir(), 'almanac-failures-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** One empty function: to build all of ours would only take time. */
const configFile = path.join(root, 'wrangler.toml')
writeFileSync(path.join(root, 'web.ts'), 'export default { fetch: () => new Response() }')
writeFileSync(
  configFile,
  `compatibility_date = "2026-01-01"\n[env.web]\nname = "web"\nmain = "web.ts"\n`,
)

const newFolder = () => mkdtempSync(path.join(root, 'data-'))
type Options = Partial<Parameters<typeof startPlatform>[0]>

/** Starts what cannot start, and answers the line that is said of it. */
async function refused(options: Options): Promise<string> {
  const start = startPlatform({ dataDir: newFolder(), port: 0, configFile, ...options })
  const error = await start.then(
    started => started.stop().then(() => new Error('it started')),
    (reason: unknown) => reason,
  )
  expect(error, String(error)).toBeInstanceOf(Failure)
  return (error as Failure).message
}

describe('a start', () => {
  it('on a port that is taken says so, and which to try', async () => {
    const server = createServer()
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    expect(await refused({ port })).toMatch(
      new RegExp(`^Port ${port} is taken: .*PORT=${port + 1}`),
    )
    server.close()
  })

  it.skipIf(process.platform !== 'linux')('where no folder can be made says so', async () => {
    const said = /^The data folder .* cannot be used \(E\w+: .*\): set DATA_DIR/
    expect(await refused({ dataDir: '/proc/almanac' })).toMatch(said)
    const file = path.join(newFolder(), 'file')
    writeFileSync(file, '')
    expect(await refused({ dataDir: file })).toMatch(said)
    expect(await refused({ dataDir: path.join(file, 'below') })).toMatch(said)
  })

  it('beside another one on the folder of a killed one leaves it to that', async () => {
    const dataDir = newFolder()
    const claim = path.join(dataDir, 'platform.pid')
    writeFileSync(claim, '4194304 1')
    const said = refused({ dataDir })
    await until(() => readFileSync(claim, 'utf8').startsWith(`${process.pid} `))
    const other = spawn('sleep', ['60'])
    writeFileSync(claim, `${other.pid} ${readStartTime(Number(other.pid))}`)
    expect(await said).toMatch(new RegExp(`^${dataDir} is in use by process ${other.pid}: stop`))
    other.kill()
    expect(readdirSync(dataDir)).toEqual(['platform.pid'])
  })

  it('on what is no data folder of Postgres, or a damaged one, says what to do', async () => {
    const dataDir = newFolder()
    mkdirSync(path.join(dataDir, 'postgres'))
    expect(await refused({ dataDir })).toMatch(/PG_VERSION is missing\): move it away or delete it/)
    writeFileSync(path.join(dataDir, 'postgres', 'PG_VERSION'), '18\n')
    expect(await refused({ dataDir })).toMatch(/^Postgres could not start .* Restore that folder/)
    expect(readdirSync(dataDir).sort()).toEqual(['postgres', 'secret'])
  })

  it('on a folder that has lost its tables blames that, not DATABASE_URL', async () => {
    const dataDir = newFolder()
    const folder = path.join(dataDir, 'postgres')
    await (await startPostgres({ dataDir: folder, ephemeral: true })).stop()
    rmSync(path.join(folder, 'base'), { recursive: true })
    expect(await refused({ dataDir })).toMatch(/^The database is damaged \(.*\): restore its data/)
  })

  it('with a DATABASE_URL that leads nowhere says so, without its password', async () => {
    const nowhere = 'postgres://ann:hidden@127.0.0.1:1/x'
    const said = await refused({ databaseUrl: nowhere })
    expect(said).toMatch(/^DATABASE_URL cannot be used: .*ECONNREFUSED/)
    expect(said).not.toContain('hidden')
    expect(await refused({ databaseUrl: 'mysql://x' })).toMatch(/^DATABASE_URL must look like/)
    const { databaseUrl } = platform()
    const gone = await refused({ databaseUrl: databaseUrl.replace(/postgres$/, 'nothing') })
    expect(gone).toMatch(/^DATABASE_URL cannot be used: .*database "nothing" does not exist/)
  })

  it('with a database that keeps less than Unicode says so', async () => {
    const name = `latin_${crypto.randomUUID().slice(0, 8)}`
    await queryDatabase(`create database ${name} encoding 'LATIN1' template template0 locale 'C'`)
    const databaseUrl = platform().databaseUrl.replace(/postgres$/, name)
    expect(await refused({ databaseUrl })).toMatch(/^The database .* in LATIN1: .* encoding 'UTF8'/)
    await queryDatabase(`drop database ${name}`)
  })

  it('with a REDIS_URL that leads nowhere says so', async () => {
    const { databaseUrl } = platform()
    const said = await refused({ databaseUrl, redisUrl: 'redis://127.0.0.1:1' })
    expect(said).toMatch(/^REDIS_URL cannot be used: .*ECONNREFUSED/)
  })

  it('with a REDIS_URL of what is silent, or no Redis, says so within seconds', async () => {
    const { databaseUrl } = platform()
    for (const [greeting, reason] of [
      ['', 'no answer within 5 seconds'],
      ['HTTP/1.1 400 Bad Request\r\n\r\n', 'Redis sent a reply of an unknown type: HTTP/1.1'],
    ] as const) {
      const server = createServer(socket => socket.write(greeting))
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      const { port } = server.address() as { port: number }
      const said = await refused({ databaseUrl, redisUrl: `redis://127.0.0.1:${port}` })
      expect(said).toContain(
        `REDIS_URL cannot be used: 127.0.0.1:${port} does not answer (${reason}`,
      )
      server.close()
    }
  })

  it('with a migration that fails says so, and changes nothing', async () => {
    const name = `failing_${crypto.randomUUID().slice(0, 8)}`
    await queryDatabase(`create database ${name}`)
    const at = { databaseUrl: platform().databaseUrl.replace(/postgres$/, name) }
    await queryDatabase('create table accounts (mine int)', [], at)
    expect(await refused(at)).toMatch(
      /^A migration in .* failed and nothing was changed: .*accounts/,
    )
    const left = `select table_name from information_schema.tables where table_schema = 'public'`
    expect(await queryDatabase(left, [], at)).toEqual([{ table_name: 'accounts' }])
    await queryDatabase(`drop database ${name}`)
  })
})
