import { TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useState } from 'react'

const TYPING_MS = 200

interface Props {
  readonly label: string
  readonly hint?: string
  readonly value: string
  /** Called when the person pauses. */
  readonly put: (value: string) => void
}

/** A field to search with; what is typed is used when the person pauses. */
export function SearchText({ label, hint, value, put }: Props) {
  const [typed, setTyped] = useState(value)
  const later = useDebouncedCallback(put, TYPING_MS)
  useEffect(() => setTyped(value), [value])
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={hint ?? label}
      value={typed}
      w={280}
      maw="100%"
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        later(event.currentTarget.value)
      }}
    />
  )
}
