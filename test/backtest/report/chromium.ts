import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PLACES = [
  process.env.CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** It must not talk to anybody, nor look at the profile of whoever runs the tests. */
const ARGUMENTS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

const executablePath = PLACES.find(place => place !== undefined && existsSync(place))

/** Whether there is a Chromium here; prints how to get one where there is not. */
export function hasChromium(): boolean {
  if (executablePath !== undefined) return true
  console.warn('Skipped: there is no Chromium (apt-get install chromium, or name one in CHROMIUM).')
  return false
}

/** Starts Chromium with a fresh profile. */
export function launchChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: executablePath ?? '', args: ARGUMENTS })
}
