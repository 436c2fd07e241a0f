/** Keeps scroll positions and the keyboard focus while the lists of a screen are made anew. */
export class KeptPlaces {
  #root
  /** Scroll position of each list, by its name. @type {Map<string, { readonly left: number, readonly top: number }>} */
  #scrolled = new Map()
  /** Name of the list that has the focus, and text of the button in it. @type {{ readonly list: string | undefined, readonly button: string | undefined } | undefined} */
  #focused

  /** @param {HTMLElement} root */
  constructor(root) {
    this.#root = root
    root.addEventListener('scroll', event => this.#noteScroll(event), true)
    root.addEventListener('focusin', event => this.#noteFocus(event))
  }

  /** Another screen is shown. */
  clear() {
    this.#scrolled.clear()
    this.#focused = undefined
  }

  /**
   * Runs what makes lists anew, and restores their places.
   * @param {() => Promise<void>} makeAnew
   */
  async over(makeAnew) {
    const hadFocus = this.#root.contains(document.activeElement)
    await makeAnew()
    for (const list of this.#lists()) {
      const place = this.#scrolled.get(list.ariaLabel ?? '')
      if (place !== undefined) list.scrollTo({ ...place, behavior: 'instant' })
    }
    if (hadFocus && document.activeElement === document.body) this.#restoreFocus()
  }

  #lists() {
    return /** @type {NodeListOf<HTMLElement>} */ (this.#root.querySelectorAll('.scroller, .lines'))
  }

  /** The same button, or its list where the button is gone. */
  #restoreFocus() {
    if (this.#focused === undefined) return
    const { list: name, button: text } = this.#focused
    const list = [...this.#lists()].find(one => one.ariaLabel === name)
    const buttons = [...(name === undefined ? this.#root : (list ?? this.#root)).querySelectorAll('button')]
    const same = text === undefined ? undefined : buttons.find(one => one.textContent === text)
    ;(same ?? list)?.focus({ preventScroll: true })
  }

  /** @param {Event} event */
  #noteScroll({ target }) {
    if (target instanceof HTMLElement && target.ariaLabel !== null)
      this.#scrolled.set(target.ariaLabel, { left: target.scrollLeft, top: target.scrollTop })
  }

  /** @param {Event} event */
  #noteFocus({ target }) {
    if (!(target instanceof HTMLElement)) return
    const list = /** @type {HTMLElement | null} */ (target.closest('.scroller, .lines'))
    const button = target instanceof HTMLButtonElement ? target.textContent : undefined
    this.#focused = { list: list?.ariaLabel ?? undefined, button }
  }
}
