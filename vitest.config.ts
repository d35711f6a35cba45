import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Tests below test/ that read the project itself and need nothing to run. */
const STATIC = ['test/architecture.test.ts', 'test/deploy.test.ts', 'test/static/**/*.test.ts']

/**
 * Tests whose platform is their worker's own, so that the clock is theirs. They are no files of the
 * shared platform's workers: what modules remember of one (which account has service 1) is not so on
 * another.
 */
const ALONE = [
  'test/clock/*.test.ts',
  'test/together.test.ts',
  'test/trips.test.ts',
  'test/events/{claiming,delivering,sent,slow,switch-off}.test.ts',
]

/** Those of a project together, since they share what a worker has loaded; the slow ones first. */
class Sequencer extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification) =>
      ['alone', 'platform', 'unit'].indexOf(project.name)
    return (await super.sort(files)).sort((a, b) => place(a) - place(b))
  }
}

export default defineConfig({
  test: {
    // One more than the cores of a small machine: tests wait for platforms as much as they work.
    maxWorkers: 3,
    isolate: false,
    sequence: { sequencer: Sequencer },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['lib/**/*.test.ts', 'dev/**/*.test.ts', 'functions/**/*.test.ts', ...STATIC],
          testTimeout: 30_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'platform',
          include: ['test/**/*.test.ts'],
          exclude: [...STATIC, ...ALONE],
          // One platform for all files; each file works in accounts of its own.
          globalSetup: 'test/setup.ts',
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        extends: true,
        test: {
          name: 'alone',
          include: ALONE,
          globalSetup: 'test/own-setup.ts',
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
