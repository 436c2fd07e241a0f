import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { launchChromium } from './chromium.ts'

/** A page as a test opened it. */
export interface OpenedPage {
  readonly page: Page
  /** Errors of scripts, what they wrote to the console, and requests beside the page itself. */
  readonly complaints: readonly string[]
}

/** Opens a page in a fresh context; `before` runs ahead of its own scripts. */
export type OpenPage = (
  options?: Parameters<Browser['newContext']>[0],
  before?: string,
) => Promise<OpenedPage>

/** Writes a page to a file once for all tests of a block, and opens it from there in Chromium; call it in the block. */
export function offlinePage(html: () => string | Promise<string>): OpenPage {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-page-'))
  const file = join(folder, 'page.html')
  const url = pathToFileURL(file).href
  const contexts: BrowserContext[] = []
  let browser: Browser

  beforeAll(async () => {
    writeFileSync(file, await html())
    browser = await launchChromium()
  }, 60_000)

  afterEach(async () => {
    await Promise.all(contexts.splice(0).map(context => context.close()))
  })

  afterAll(async () => {
    await browser.close()
    rmSync(folder, { recursive: true })
  })

  return async (options = {}, before = '') => {
    const context = await browser.newContext(options)
    await context.addInitScript(before)
    contexts.push(context)
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', message => complaints.push(`console: ${message.text()}`))
    page.on('pageerror', error => complaints.push(`error: ${error.message}`))
    page.on('request', request => {
      if (request.url() !== url) complaints.push(`request: ${request.url()}`)
    })
    await page.goto(url)
    await page.waitForSelector('html[data-ready], html[data-failed]')
    return { page, complaints }
  }
}
