import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'

const TYPING_MS = 300

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string
  /** Hears the text, without blanks around it, when nobody has typed for a moment. */
  readonly settle: (value: string) => void
}

/** A field whose text counts once nobody types any more; it follows its value when that changes elsewhere. */
export function SettledInput({ value, settle, ...rest }: Props) {
  const [text, setText] = useState(value)
  const [known, setKnown] = useState(value)
  const later = useDebouncedCallback((next: string) => {
    setKnown(next)
    settle(next)
  }, TYPING_MS)
  if (value !== known) {
    setKnown(value)
    setText(value)
  }
  return (
    <TextInput
      {...rest}
      value={text}
      onChange={({ currentTarget: { value: next } }) => {
        setText(next)
        later(next.trim())
      }}
    />
  )
}
