import type { LegalValue } from '@burgee/protocol/targeting/context-field'
import { Button, CloseButton, Group, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useCatalogue, useTexts } from '../text/texts.tsx'
import { FieldGroup } from '../ui/form/field-group.tsx'
import styles from './context-fields.module.css'
import { CONTEXT_FIELD_TEXTS } from './texts.ts'

interface Props {
  readonly values: readonly LegalValue[]
  readonly put: (values: readonly LegalValue[]) => void
}

/** Editor for the values that constraints on a context field may use, with descriptions. Accepts pasted lists. */
export function LegalValues({ values, put }: Props) {
  const t = useTexts()
  const { legal, legalHint, valueName, removeValue } = useCatalogue(CONTEXT_FIELD_TEXTS).fields
  return (
    <FieldGroup title={legal} hint={legalHint}>
      {values.length > 0 && (
        <ul className={styles.values} aria-label={legal}>
          {values.map((one) => (
            <li key={one.value} className={styles.value}>
              <span className={styles.name}>{one.value}</span>
              <TextInput
                size="xs"
                aria-label={valueName(one.value)}
                placeholder={t.common.description}
                value={one.description ?? ''}
                maxLength={1000}
                onChange={({ currentTarget: { value: description } }) =>
                  put(values.map((old) => (old === one ? createLegalValue(one.value, description) : old)))
                }
              />
              <CloseButton
                aria-label={removeValue(one.value)}
                onClick={() => put(values.filter((old) => old !== one))}
              />
            </li>
          ))}
        </ul>
      )}
      <NewValues add={(added) => put(mergeValues(values, added))} />
    </FieldGroup>
  )
}

function NewValues({ add }: { add: (values: readonly string[]) => void }) {
  const t = useCatalogue(CONTEXT_FIELD_TEXTS).fields
  const [text, setText] = useState('')
  const take = (): void => {
    add(splitValues(text))
    setText('')
  }
  return (
    <Group gap="xs" align="flex-end">
      <TextInput
        label={t.newValues}
        value={text}
        className={styles.grow ?? ''}
        onChange={(event) => setText(event.currentTarget.value)}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text')
          if (!/[\n\t]/.test(pasted)) return
          // Handle the paste event, because the input itself would drop line breaks.
          event.preventDefault()
          add(splitValues(`${text}\n${pasted}`))
          setText('')
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          take()
        }}
      />
      <Button variant="default" disabled={splitValues(text).length === 0} onClick={take}>
        {t.addValues}
      </Button>
    </Group>
  )
}

function splitValues(text: string): string[] {
  return text
    .split(/[,;\n\t]/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

function mergeValues(values: readonly LegalValue[], added: readonly string[]): LegalValue[] {
  const known = new Set(values.map(({ value }) => value))
  return [...values, ...[...new Set(added)].filter((value) => !known.has(value)).map((value) => ({ value }))]
}

function createLegalValue(value: string, description: string): LegalValue {
  return description === '' ? { value } : { value, description }
}
