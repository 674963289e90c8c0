import { Input, TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { type ChangeEvent, type ComponentProps, useEffect, useRef, useState } from 'react'
import styles from './light-field.module.css'

const DEBOUNCE_MS = 200

interface DebouncedValue {
  readonly value: string
  /** Called with the trimmed text after a pause in typing. */
  readonly settle: (value: string) => void
}

type Props = DebouncedValue & Omit<TextInputProps, keyof DebouncedValue | 'onChange'>

/** Input that reports its text after a pause in typing. If its value is changed from outside, shows the new value. */
export function DebouncedInput({ value, settle, ...rest }: Props) {
  return <TextInput {...rest} {...useDebouncedText({ value, settle })} />
}

type LightProps = DebouncedValue & Omit<ComponentProps<'input'>, keyof DebouncedValue | 'onChange'>

/** Debounced input without a visible label and with fewer elements, for the first view of a page. */
export function LightDebouncedInput({ value, settle, className = '', ...rest }: LightProps) {
  return (
    <div className={`${Input.classes.wrapper} ${styles.field} ${className}`} data-variant="default">
      <input
        {...rest}
        {...useDebouncedText({ value, settle })}
        className={Input.classes.input}
        data-variant="default"
      />
    </div>
  )
}

function useDebouncedText({ value, settle }: DebouncedValue) {
  const [text, setText] = useState(value)
  const sent = useRef(value)
  const later = useDebouncedCallback((next: string) => {
    sent.current = next
    settle(next)
  }, DEBOUNCE_MS)
  useEffect(() => {
    // Ignore the reported text when it returns as the new value, because the user may have typed more since.
    if (value !== sent.current) setText(value)
    sent.current = value
  }, [value])
  const onChange = ({ currentTarget: { value: next } }: ChangeEvent<HTMLInputElement>): void => {
    setText(next)
    later(next.trim())
  }
  return { value: text, onChange }
}

interface SearchProps {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly settle: (value: string) => void
}

/** Search field for a list. */
export function SearchText({ label, hint, ...rest }: SearchProps) {
  return <DebouncedInput type="search" aria-label={label} placeholder={hint ?? label} w={280} maw="100%" {...rest} />
}
