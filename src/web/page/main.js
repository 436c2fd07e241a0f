import { chartScreen } from './chart-screen.js'
import { askFor } from './command-form.js'
import { element, elementById } from './elements.js'
import { plainTimes, timeText } from './figures.js'
import { KeptPlaces } from './kept-places.js'
import { loginByLink, loginScreen } from './login-screen.js'
import { NewsWatch } from './news-watch.js'
import { ordersScreen } from './orders-screen.js'
import { overviewScreen } from './overview-screen.js'
import { researchScreen } from './research-screen.js'
import { riskScreen } from './risk-screen.js'
import { followChanges, read, readSession, ServerRefusal, send, showBot } from './server-calls.js'

/** Shortest time between two readings, ms. */
const REST = 1000
const SCREENS = {
  overview: 'Overview',
  chart: 'Chart and decisions',
  orders: 'Orders and positions',
  risk: 'Risk and control',
  research: 'Research',
}

/**
 * @typedef {object} Screen
 * @property {readonly (Node | false)[]} nodes
 * @property {() => Promise<void>} update
 * @property {() => void} remove
 */

/** @type {Screen | undefined} */
let shown
let isReading = false
let isStale = false
/** Time of the latest news while none come, ms UTC by the clock of this device. @type {number | undefined} */
let silentSince
/** Trading as it was when the latest command was answered, while its answer is shown. @type {string | undefined} */
let answeredAt
/** @type {readonly { readonly bot: string, readonly label: string, readonly role: string, readonly isLive: boolean }[]} */
let bots = []
let session = { bot: '', label: '', role: 'read', isLive: false }

/** @param {string | undefined} problem */
async function begin(problem) {
  try {
    const given = await readSession()
    bots = given.bots
    session = bots[0] ?? session
    watch.news()
  } catch (error) {
    const isStarting = error instanceof ServerRefusal && error.status === 503
    if (isStarting) setTimeout(() => void begin(undefined), REST)
    elementById('main').replaceChildren(
      isStarting
        ? element('p', {}, 'The bot is still starting.')
        : await loginScreen(problem, () => void begin(undefined)),
    )
    ready(isStarting ? 'starting' : 'login')
    return
  }
  addNavigation()
  choose(0)
  followChanges({
    onChange: changed,
    onLost: () => watch.lost(),
    onLoggedOut: () => void askAnew(),
  })
  setInterval(() => watch.look(), REST)
  addEventListener('hashchange', () => void open())
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => void open())
  await open()
}

/**
 * Shows a bot from now on.
 * @param {number} place
 */
function choose(place) {
  session = bots[place] ?? session
  showBot(place)
  elementById('title').textContent = session.label
  const select = /** @type {HTMLSelectElement | null} */ (document.getElementById('bot'))
  if (select !== null) select.value = String(place)
  say(stateText())
}

/** The choice of a bot, where there are several. */
function botChoice() {
  if (bots.length < 2) return []
  const select = element(
    'select',
    { id: 'bot' },
    ...bots.map(({ label }, place) => element('option', { value: String(place) }, label)),
  )
  select.addEventListener('change', event => {
    choose(Number(/** @type {HTMLSelectElement} */ (event.target).value))
    void open()
  })
  return [element('label', { for: 'bot' }, 'Bot ', select)]
}

function stateText() {
  return silentSince === undefined
    ? liveText()
    : `Nothing has come from the bot since ${timeText(silentSince)} by the clock of this device: it may not run, and what is shown is of then. The connection is tried again.`
}

function liveText() {
  if (!session.isLive) return 'A journal: nothing can be commanded here.'
  return session.role === 'operate' ? 'Live.' : 'Live; you may look.'
}

function addNavigation() {
  const navigation = elementById('screens')
  navigation.hidden = false
  navigation.replaceChildren(
    ...botChoice(),
    ...Object.entries(SCREENS).map(([name, text]) => element('a', { href: `#${name}` }, text)),
    element('button', { type: 'button', class: 'link', onclick: logOut }, 'Log out'),
  )
}

async function logOut() {
  await send('/api/logout', {})
  location.assign('/')
}

/** Shows the screen that the address names. */
async function open() {
  const name = location.hash.slice(1) in SCREENS ? location.hash.slice(1) : 'overview'
  for (const link of elementById('screens').querySelectorAll('a'))
    if (link.hash === `#${name}`) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  shown?.remove()
  shown = undefined
  places.clear()
  document.title = `${screenTitle(name)} · ${session.label} · Sluice`
  const screen = await screenOf(name)
  elementById('main').replaceChildren(
    element(
      'h2',
      { class: 'screen' },
      screenTitle(name),
      element('span', { id: 'as-of', class: 'loss' }, asOfText()),
    ),
    ...withoutFalse(screen.nodes),
  )
  shown = screen
  try {
    await screen.update()
  } catch (error) {
    if (error instanceof ServerRefusal && error.status === 401) return askAnew()
    elementById('main').append(
      element(
        'p',
        { id: 'unread', class: 'hint' },
        'The bot does not answer: this screen is read once it does.',
      ),
    )
  }
  ready(name)
}

/** @param {string} name */
function screenTitle(name) {
  return SCREENS[/** @type {keyof typeof SCREENS} */ (name)]
}

/**
 * @param {string} name
 * @returns {Promise<Screen>}
 */
async function screenOf(name) {
  const canOperate = session.role === 'operate'
  const { bot } = session
  if (name === 'chart') return chartScreen()
  if (name === 'orders') return ordersScreen()
  if (name === 'risk') return riskScreen({ bot, canOperate, onAnswer: answered })
  if (name === 'research') return researchScreen()
  const place = element('div')
  const update = async () => {
    const nodes = await overviewScreen({
      ...{ canOperate, bots, askToStop: first => askFor(first, bot, answered) },
      onChoice: chosen => {
        choose(chosen)
        void open()
      },
    })
    place.replaceChildren(...withoutFalse(nodes))
  }
  return { nodes: [place], update, remove: () => {} }
}

/** Reads anew, at most once a second, and never while a reading is under way or somebody is at a list. */
async function changed() {
  isStale = true
  if (isReading || shown === undefined) return
  isReading = true
  try {
    while (isStale) {
      isStale = false
      await readAnew(shown)
      watch.news()
      if (answeredAt !== undefined && answeredAt !== (await overviewNow()).trading) say(stateText())
      await new Promise(resolve => setTimeout(resolve, REST))
    }
  } catch (error) {
    if (error instanceof ServerRefusal && error.status === 401) await askAnew()
    else if (silentSince === undefined) say(error instanceof Error ? error.message : String(error))
  } finally {
    isReading = false
  }
}

/**
 * Reads a screen anew; its lists stay where they were scrolled to, and keep the keyboard.
 * @param {Screen | undefined} screen
 */
async function readAnew(screen) {
  await places.over(async () => screen?.update())
  document.getElementById('unread')?.remove()
}

const places = new KeptPlaces(elementById('main'))

/** Says since when nothing came, and takes all colour away until something comes. */
const watch = new NewsWatch(Date.now, since => {
  silentSince = since
  // The screen of the login is old for no other reason.
  if (elementById('screens').hidden) return
  if (since === undefined) delete document.documentElement.dataset.silent
  else document.documentElement.dataset.silent = String(since)
  const asOf = document.getElementById('as-of')
  if (asOf !== null) asOf.textContent = asOfText()
  say(stateText())
})

/** Since when a screen is old, by the clock of this device; empty while news come. */
function asOfText() {
  return silentSince === undefined ? '' : `, as of ${timeText(silentSince)} by the clock of this device`
}

/** The server knows this session no more, as after every start of the bot. */
async function askAnew() {
  if (elementById('screens').hidden) return
  shown?.remove()
  shown = undefined
  elementById('screens').hidden = true
  const dialog = /** @type {HTMLDialogElement} */ (elementById('dialog'))
  dialog.close()
  delete document.documentElement.dataset.silent
  say('Logged out.')
  const problem =
    'This browser is logged out: in another tab, by a start of the bot, or because the login has expired. Log in anew.'
  elementById('main').replaceChildren(await loginScreen(problem, () => location.reload()))
  ready('login')
}

/**
 * Shows the answer to a command with its time, until what it tells of changes: what trading is now is known before the answer can be read.
 * @param {string} text
 */
async function answered(text) {
  const now = await overviewNow().catch(() => undefined)
  say(`${now === undefined ? '' : `At ${timeText(now.time)}: `}${plainTimes(text)}`)
  answeredAt = now?.trading
}

/** The time of the exchange, and what answers to commands tell of, as text to compare. */
async function overviewNow() {
  const { time, status } = await read('/api/views/overview')
  return { time, trading: JSON.stringify([status.trading, status.closing]) }
}

/** @param {string} text */
function say(text) {
  answeredAt = undefined
  elementById('state').textContent = text
}

/** @param {readonly (Node | false)[]} nodes */
function withoutFalse(nodes) {
  return nodes.filter(node => node !== false)
}

/** @param {string} name */
function ready(name) {
  document.documentElement.dataset.ready = name
}

// What a click asked for may be refused when nobody waits for it any more, as after a logout.
addEventListener('unhandledrejection', event => {
  if (!(event.reason instanceof ServerRefusal)) return
  event.preventDefault()
  if (event.reason.status === 401) void askAnew()
  else if (silentSince === undefined) say(event.reason.message)
})
void loginByLink().then(begin)
