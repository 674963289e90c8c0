import { Modal, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type KeyboardEvent, useId, useState } from 'react'
import { takeTypedText } from '../shell/typed-ahead.ts'
import { describeError } from '../text/error-message.ts'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { useEscape } from '../ui/dialog/use-escape.ts'
import { useReturnFocus } from '../ui/dialog/use-return-focus.ts'
import type { PaletteEntry } from './entry.ts'
import { EntryList } from './entry-list.tsx'
import { useGeneralEntries } from './general-entries.ts'
import styles from './palette.module.css'
import { mergeGroups } from './ranking.ts'
import { useRecentEntries } from './recent-entries.ts'
import { useSearchEntries } from './search-entries.ts'
import { PALETTE_TEXTS } from './texts.ts'
import { useEnter } from './use-enter.ts'
import { useMarkedEntry } from './use-marked-entry.ts'

const DEBOUNCE_MS = 120

/** Command palette that finds flags, segments and pages and runs actions. Enter opens the highlighted entry. */
export function Palette({ close }: { close: () => void }) {
  const t = useTexts()
  useReturnFocus()
  useEscape(close)
  return (
    <Modal
      opened
      onClose={close}
      size={600}
      // Keeps the input in the same place, regardless of the number of results.
      centered={false}
      yOffset={80}
      padding={0}
      lockScroll={false}
      withCloseButton={false}
      closeOnEscape={false}
      attributes={{ content: { 'aria-label': t.nav.search } }}
    >
      <Finder close={close} />
    </Modal>
  )
}

function Finder({ close }: { close: () => void }) {
  const t = useTexts()
  const p = useCatalogue(PALETTE_TEXTS)
  const id = useId()
  const [text, setText] = useState('')
  const { groups, state, error } = useGroups(text)
  const entries = groups.flatMap((group) => group.entries)
  const { marked, isChosen, move } = useMarkedEntry(entries, text)
  const run = (entry: PaletteEntry | undefined): void => {
    if (entry === undefined) return
    close()
    entry.run()
  }
  const enter = useEnter(text, state, () => run(marked))
  const go = (steps: 1 | -1): void => {
    enter.forget()
    move(steps)
  }
  const goOn = (): void => {
    const ahead = takeTypedText()
    if (ahead.text !== '') setText(ahead.text)
    if (ahead.isEntered) enter.press(ahead.text)
  }
  const onKeyDown = createKeyHandler({
    ArrowDown: () => go(1),
    ArrowUp: () => go(-1),
    Enter: () => (isChosen ? run(marked) : enter.press()),
  })
  return (
    <>
      <input
        className={styles.field}
        role="combobox"
        aria-label={p.placeholder}
        aria-expanded={entries.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        {...(marked === undefined ? {} : { 'aria-activedescendant': getOptionId(id, marked) })}
        placeholder={p.placeholder}
        value={text}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        onFocus={goOn}
        onChange={(event) => setText(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      {error !== null && (
        <p className={styles.note} role="alert">
          {describeError(t, error)}
        </p>
      )}
      {entries.length === 0 && state === 'here' && <p className={styles.note}>{p.nothing}</p>}
      <EntryList id={id} groups={groups} marked={marked} idOf={(entry) => getOptionId(id, entry)} run={run} />
      <VisuallyHidden role="status">
        {state === 'coming' ? p.searching : entries.length === 0 ? p.nothing : p.count(entries.length)}
      </VisuallyHidden>
    </>
  )
}

/** Runs the action that belongs to a key. Ignores keys during text composition (IME). */
function createKeyHandler(keys: Readonly<Record<string, () => void>>): (event: KeyboardEvent) => void {
  return (event) => {
    if (event.nativeEvent.isComposing) return
    const act = Object.hasOwn(keys, event.key) ? keys[event.key] : undefined
    if (act === undefined) return
    event.preventDefault()
    act()
  }
}

const getOptionId = (list: string, entry: PaletteEntry): string => `${list} ${entry.id}`.replaceAll(/\s/g, '-')

/** Returns the entries that match a text, and the state of the search. */
function useGroups(text: string) {
  const [settled] = useDebouncedValue(text, DEBOUNCE_MS)
  const recent = useRecentEntries()
  const general = useGeneralEntries(text)
  const found = useSearchEntries(settled.trim())
  const isSettled = settled === text
  return {
    groups: mergeGroups(text.trim() === '' ? [...recent, ...general] : [...found.groups, ...general]),
    state: isSettled || text.trim() === '' ? found.state : ('coming' as const),
    error: isSettled ? found.error : null,
  }
}
