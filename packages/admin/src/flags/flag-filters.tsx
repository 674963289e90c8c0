import { Button, Select, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'
import { useTexts } from '../text/texts.tsx'
import styles from './flags.module.css'
import type { FlagSearch } from './search.ts'

const TYPING_MS = 200

interface Props {
  readonly search: FlagSearch
  readonly go: (next: FlagSearch, replace?: boolean) => void
}

/** What narrows the list; each change is in the address. */
export function FlagFilters({ search, go }: Props) {
  const t = useTexts()
  const { q, type, state, tag, ...rest } = search
  const isFiltered = [q, type, state, tag].some((value) => value !== undefined)
  const put = (change: { [K in keyof FlagSearch]?: FlagSearch[K] | undefined }): void => {
    const merged = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined && value !== '')
    go(Object.fromEntries(merged), true)
  }
  const types = Object.entries(t.types).map(([value, label]) => ({ value, label }))
  return (
    <search className={styles.filters}>
      <TypedText
        label={t.flags.search}
        hint={t.flags.searchHint}
        type="search"
        value={q ?? ''}
        put={(q) => put({ q })}
      />
      <Select
        aria-label={t.flags.type}
        data={[{ value: '', label: t.flags.anyType }, ...types]}
        value={type ?? ''}
        onChange={(value) => put({ type: value ?? '' })}
        w={160}
      />
      <Select
        aria-label={t.flags.state}
        data={[
          { value: '', label: t.flags.anyState },
          { value: 'active', label: t.flags.active },
          { value: 'stale', label: t.flags.stale },
        ]}
        value={state ?? ''}
        onChange={(value) => put({ state: value ?? '' })}
        w={140}
      />
      <TypedText
        label={t.flags.tag}
        hint={`${t.flags.tag} (${t.flags.tagHint})`}
        value={tag ?? ''}
        put={(tag) => put({ tag })}
      />
      {isFiltered && (
        <Button variant="subtle" onClick={() => go(rest)}>
          {t.flags.clear}
        </Button>
      )}
    </search>
  )
}

interface TypedProps {
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly type?: 'search'
  readonly put: (value: string) => void
}

/** Text that is put into the address when the person pauses. */
function TypedText({ label, hint, value, put, type }: TypedProps) {
  const [typed, setTyped] = useState(value)
  const later = useDebouncedCallback(put, TYPING_MS)
  useEffect(() => setTyped(value), [value])
  return (
    <TextInput
      aria-label={label}
      placeholder={hint}
      value={typed}
      {...(type === undefined ? {} : { type })}
      className={type === 'search' ? (styles.text ?? '') : ''}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        later(event.currentTarget.value)
      }}
    />
  )
}
