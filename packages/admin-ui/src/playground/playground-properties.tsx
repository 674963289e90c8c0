import { Autocomplete, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { FIELDS as CONTEXT } from '../api/queries.ts'
import { useCatalogue } from '../text/texts.tsx'
import styles from './playground.module.css'
import { PLAYGROUND_TEXTS } from './texts.ts'

type Pairs = [string, string][]

interface Props {
  readonly pairs: Pairs
  /** Names of context fields that the flags' rules use. These names are offered first. */
  readonly used: readonly string[]
  /** Names of context fields that have a separate input elsewhere in the form. */
  readonly own: readonly string[]
  readonly put: (pairs: Pairs) => void
}

/** Editor of the remaining context fields, as pairs of name and value. The last added pair gets the focus. */
export function ContextProperties({ pairs, used, own, put }: Props) {
  const t = useCatalogue(PLAYGROUND_TEXTS)
  const { data: fields = [] } = useQuery(CONTEXT)
  const last = useRef<HTMLInputElement>(null)
  const [isAdded, setAdded] = useState(false)
  useEffect(() => {
    if (!isAdded) return
    last.current?.focus()
    setAdded(false)
  }, [isAdded])
  const defined = fields.map((field) => field.name).filter((name) => !own.includes(name))
  const names = [...new Set([...used, ...defined])]
  const add = (): void => {
    put([...pairs, ['', '']])
    setAdded(true)
  }
  const legalOf = (name: string) =>
    fields.find((field) => field.name === name)?.legalValues.map((legal) => legal.value) ?? []
  const set = (at: number, pair: [string, string]): void => put(pairs.with(at, pair))
  return (
    <fieldset className={styles.properties}>
      <legend>{t.properties}</legend>
      {pairs.map(([name, value], index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: names change while the user types
        <div key={index} className={styles.property}>
          <Autocomplete
            ref={index === pairs.length - 1 ? last : null}
            aria-label={t.propertyName}
            placeholder={t.propertyName}
            data={names}
            value={name}
            onChange={(next) => set(index, [next, value])}
          />
          <Autocomplete
            aria-label={t.propertyValue}
            placeholder={t.propertyValue}
            data={legalOf(name)}
            value={value}
            onChange={(next) => set(index, [name, next])}
          />
          <Button
            variant="subtle"
            color="red"
            px={6}
            aria-label={t.removeProperty(name)}
            onClick={() => put(pairs.toSpliced(index, 1))}
          >
            ✕
          </Button>
        </div>
      ))}
      <Button variant="default" size="xs" onClick={add}>
        {t.addProperty}
      </Button>
    </fieldset>
  )
}
