import { PALETTE } from './overlays.ts'

/** What was typed for a field that is not there yet. */
export interface TypedAhead {
  readonly text: string
  /** Enter was the last key, after some text. */
  readonly isEntered: boolean
}

const NOTHING: TypedAhead = { text: '', isEntered: false }

/** Undefined while nobody waits: the palette is closed, or its field has the focus. */
let held: TypedAhead | undefined

/** What was typed since the palette was asked for; keys go to its field from now on. */
export function takeTyped(): TypedAhead {
  const taken = held ?? NOTHING
  held = undefined
  return taken
}

/**
 * Holds what is typed from the moment when the palette is asked for: it may have to come over the network first, and keys
 * would act on the page behind. The result ends it.
 */
export function holdTyping(): () => void {
  let wasOpen = PALETTE.isOpen()
  const follow = (): void => {
    const isOpen = PALETTE.isOpen()
    if (isOpen !== wasOpen) held = isOpen ? NOTHING : undefined
    wasOpen = isOpen
  }
  const onKey = (event: KeyboardEvent): void => {
    if (held === undefined || isCommand(event)) return
    if (event.key === 'Escape') PALETTE.show(false)
    else {
      const next = typedOn(held, event.key)
      if (next === undefined) return
      held = next
    }
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  const end = PALETTE.subscribe(follow)
  // before everybody else on the page
  window.addEventListener('keydown', onKey, { capture: true })
  return () => {
    end()
    window.removeEventListener('keydown', onKey, { capture: true })
  }
}

/** The text after a key; undefined for keys that are not for it. */
function typedOn({ text }: TypedAhead, key: string): TypedAhead | undefined {
  // without a text it would take what nobody has seen
  if (key === 'Enter') return { text, isEntered: text !== '' }
  if (key === 'Backspace') return { text: text.slice(0, -1), isEntered: false }
  return key.length === 1 ? { text: text + key, isEntered: false } : undefined
}

/** Whether a key is a command of page or browser; AltGr makes letters. */
function isCommand(event: KeyboardEvent): boolean {
  return (event.ctrlKey || event.metaKey || event.altKey) && !event.getModifierState('AltGraph')
}
