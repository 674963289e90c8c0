import type { Tag } from '@burgee/protocol/event'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTexts } from '../text/texts.tsx'
import styles from './flags.module.css'

interface Props {
  readonly tag: Tag
  readonly put: (tag: Tag) => void
}

/** Fields for the type and value of a tag. Surrounding spaces are removed. */
export function TagFields({ tag, put }: Props) {
  const t = useTexts()
  // Preserve the typed text, because a trailing space may become an inner space.
  const [value, setValue] = useState(tag.value)
  return (
    <>
      <TextInput
        label={t.flags.tagType}
        value={tag.type}
        required
        w={130}
        onChange={(event) => put({ ...tag, type: event.currentTarget.value.trim() })}
      />
      <TextInput
        label={t.flags.tagValue}
        value={value}
        required
        minLength={2}
        maxLength={50}
        className={styles.grow ?? ''}
        data-autofocus
        onChange={(event) => {
          setValue(event.currentTarget.value)
          put({ ...tag, value: event.currentTarget.value.trim() })
        }}
      />
    </>
  )
}
