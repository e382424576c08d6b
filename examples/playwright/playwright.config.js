import { defineConfig } from '@playwright/test'

// CHROMIUM_PATH: a browser of the system, instead of one that `npx playwright install chromium` downloads.
const executablePath = process.env.CHROMIUM_PATH

export default defineConfig({
  workers: 2,
  fullyParallel: true,
  use: { launchOptions: executablePath ? { executablePath, args: ['--no-sandbox'] } : {} },
})
