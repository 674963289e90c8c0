import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { FlagSort } from '../api/flags.ts'
import { ENVIRONMENTS } from '../api/queries.ts'
import { useTexts } from '../text/texts.tsx'
import styles from './flags.module.css'
import { ARCHIVED, type FlagSearch, isFiltered, withoutFilters } from './search.ts'

const TYPING_MS = 150

interface Props {
  readonly search: FlagSearch
  readonly go: (next: FlagSearch, replace?: boolean) => void
}

/** What narrows the list; each change is in the address. */
export function FlagFilters({ search, go }: Props) {
  const t = useTexts()
  const { q, type, state, tag, on, off } = search
  const put = (change: { [K in keyof FlagSearch]?: FlagSearch[K] | undefined }): void => {
    const merged = Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined && value !== '')
    go(Object.fromEntries(merged), true)
  }
  const types = Object.entries(t.types).map(([value, label]) => ({ value, label }))
  const states = ['active', 'stale', ARCHIVED] as const
  return (
    <search className={styles.filters}>
      <TypedText
        label={t.flags.search}
        hint={t.flags.searchHint}
        type="search"
        value={q ?? ''}
        put={(q) => put({ q })}
      />
      <NativeSelect
        aria-label={t.flags.type}
        data={[{ value: '', label: t.flags.anyType }, ...types]}
        value={type ?? ''}
        onChange={(event) => put({ type: event.currentTarget.value })}
      />
      <NativeSelect
        aria-label={t.flags.state}
        data={[{ value: '', label: t.flags.anyState }, ...states.map((value) => ({ value, label: t.list[value] }))]}
        value={state ?? ''}
        onChange={(event) => put({ state: event.currentTarget.value })}
      />
      <StatusFilter on={on} off={off} put={put} />
      <TypedText
        label={t.flags.tag}
        hint={`${t.flags.tag} (${t.flags.tagHint})`}
        value={tag ?? ''}
        put={(tag) => put({ tag })}
      />
      <NarrowSort search={search} go={go} />
      {isFiltered(search) && (
        <Button variant="subtle" onClick={() => go(withoutFilters(search))}>
          {t.flags.clear}
        </Button>
      )}
    </search>
  )
}

interface StatusProps {
  readonly on: string | undefined
  readonly off: string | undefined
  readonly put: (change: { on: string | undefined; off: string | undefined }) => void
}

/** On or off in one environment. */
function StatusFilter({ on, off, put }: StatusProps) {
  const t = useTexts()
  const { data = [] } = useQuery(ENVIRONMENTS)
  const names = [...new Set([...data.map(({ name }) => name), ...[on, off].filter((name) => name !== undefined)])]
  return (
    <NativeSelect
      aria-label={t.list.status}
      data={[
        { value: '', label: t.list.anyStatus },
        ...names.flatMap((name) => [
          { value: `on:${name}`, label: t.list.onIn(name) },
          { value: `off:${name}`, label: t.list.offIn(name) },
        ]),
      ]}
      value={on === undefined ? (off === undefined ? '' : `off:${off}`) : `on:${on}`}
      onChange={(event) => {
        const [, state, name] = /^(on|off):(.*)$/s.exec(event.currentTarget.value) ?? []
        put({ on: state === 'on' ? name : undefined, off: state === 'off' ? name : undefined })
      }}
    />
  )
}

/** The order, where there is no room for headings to click on. */
function NarrowSort({ search, go }: Props) {
  const t = useTexts()
  const { sort = 'name', order = 'asc', ...rest } = search
  const columns: [FlagSort, string][] = [
    ['name', t.common.name],
    ['type', t.common.type],
    ['createdAt', t.common.created],
    ['lastSeenAt', t.common.lastSeen],
  ]
  return (
    <NativeSelect
      aria-label={t.list.sort}
      className={styles.narrowOnly ?? ''}
      data={columns.flatMap(([value, label]) => [
        { value: `${value} asc`, label: `↑ ${label}` },
        { value: `${value} desc`, label: `↓ ${label}` },
      ])}
      value={`${sort} ${order}`}
      onChange={(event) => {
        const [column, direction] = event.currentTarget.value.split(' ')
        go({ ...rest, sort: column as FlagSort, order: direction === 'desc' ? 'desc' : 'asc' }, true)
      }}
    />
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
  const sent = useRef(value)
  const later = useDebouncedCallback((text: string) => {
    sent.current = text
    put(text)
  }, TYPING_MS)
  useEffect(() => {
    // the address follows what was typed, which may have gone on since
    if (value !== sent.current) setTyped(value)
    sent.current = value
  }, [value])
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
