import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { readWranglerConfig } from '#dev/workers.ts'
import { JOBS, SCHEDULE } from './names.ts'

const file = fileURLToPath(new URL('../../wrangler.toml', import.meta.url))

it('every cron of wrangler.toml fires jobs, and every job has a cron', () => {
  const jobs = readWranglerConfig(file).functions.find(({ key }) => key === 'jobs')
  expect(jobs?.crons.toSorted()).toEqual(Object.keys(SCHEDULE).toSorted())
  expect(Object.values(SCHEDULE).flat(2).toSorted()).toEqual([...JOBS].toSorted())
})
