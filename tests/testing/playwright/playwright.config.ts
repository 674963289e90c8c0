import { defineConfig } from '@playwright/test'

const { CHROMIUM = '', CHROMIUM_ARGUMENTS = '[]', OUTPUT = '' } = process.env

export default defineConfig({
  testDir: '.',
  outputDir: OUTPUT,
  fullyParallel: true,
  workers: 3,
  retries: 0,
  timeout: 60_000,
  expect: { timeout: 20_000 },
  reporter: 'line',
  use: {
    headless: true,
    launchOptions: { executablePath: CHROMIUM, args: JSON.parse(CHROMIUM_ARGUMENTS) as string[] },
  },
})
