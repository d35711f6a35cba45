import { defineConfig } from 'vitest/config'

/** Tests below test/ that read the project itself and need nothing to run. */
const STATIC = ['test/architecture.test.ts', 'test/deploy.test.ts', 'test/static/**/*.test.ts']

export default defineConfig({
  test: {
    maxWorkers: 2,
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
          exclude: STATIC,
          // One platform for all files; each file works in accounts of its own.
          globalSetup: 'test/setup.ts',
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
