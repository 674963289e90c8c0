import { PALETTE } from './overlays.ts'

/** Text that the user has typed for an input that is not mounted yet. */
export interface TypedAhead {
  readonly text: string
  /** True if the last key was Enter and there is some text. */
  readonly isEntered: boolean
}

const NOTHING: TypedAhead = { text: '', isEntered: false }

/**
 * Text captured so far. Undefined while typing is not captured because the palette is closed or its input has the
 * focus.
 */
let captured: TypedAhead | undefined

/** Returns the text that was typed since the palette was requested, and ends the capture. */
export function takeTypedText(): TypedAhead {
  const taken = captured ?? NOTHING
  captured = undefined
  return taken
}

/**
 * Captures keystrokes from the moment the palette is requested. Otherwise, until the palette has loaded, keys would act
 * on the page behind it. Returns a function that removes the listeners.
 */
export function captureTyping(): () => void {
  let wasOpen = PALETTE.isOpen()
  const follow = (): void => {
    const isOpen = PALETTE.isOpen()
    if (isOpen !== wasOpen) captured = isOpen ? NOTHING : undefined
    wasOpen = isOpen
  }
  const onKey = (event: KeyboardEvent): void => {
    if (captured === undefined || isCommand(event)) return
    if (event.key === 'Escape') PALETTE.show(false)
    else {
      const next = applyKey(captured, event.key)
      if (next === undefined) return
      captured = next
    }
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const end = PALETTE.subscribe(follow)
  // Listen in the capture phase, before all other listeners of the page.
  window.addEventListener('keydown', onKey, { capture: true })
  return () => {
    end()
    window.removeEventListener('keydown', onKey, { capture: true })
  }
}

/** Applies a key to the text. Returns undefined for a key that does not edit the text. */
function applyKey({ text }: TypedAhead, key: string): TypedAhead | undefined {
  // While the text is empty, Enter would open an entry that the user has not seen yet.
  if (key === 'Enter') return { text, isEntered: text !== '' }
  if (key === 'Backspace') return { text: text.slice(0, -1), isEntered: false }
  return key.length === 1 ? { text: text + key, isEntered: false } : undefined
}

/** Returns true if a key is a command for the page or the browser. AltGr types characters. */
function isCommand(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
}
