import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useEffect, useRef, useState } from 'react'

const TYPING_MS = 200

interface Props extends Omit<TextInputProps, 'value' | 'onChange'> {
  readonly value: string
  /** Hears the text, without blanks around it, when nobody has typed for a moment. */
  readonly settle: (value: string) => void
}

/** A field whose text counts once nobody types any more; it follows its value when that changes elsewhere. */
export function SettledInput({ value, settle, ...rest }: Props) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const later = useDebouncedCallback((next: string) => {
    sent.current = next
    settle(next)
  }, TYPING_MS)
  useEffect(() => {
    // the value follows what was typed, which may have gone on since
    if (value !== sent.current) setText(value)
    sent.current = value
  }, [value])
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

interface SearchProps {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly settle: (value: string) => void
}

/** A field to search a list with. */
export function SearchText({ label, hint, ...rest }: SearchProps) {
  return <SettledInput type="search" aria-label={label} placeholder={hint ?? label} w={280} maw="100%" {...rest} />
}
