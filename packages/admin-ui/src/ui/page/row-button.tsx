import { Button } from '@mantine/core'

interface Props {
  /** Accessible label that names the action and the row. */
  readonly label: string
  readonly text: string
  readonly isDanger?: boolean
  readonly disabled?: boolean
  readonly act: () => unknown
}

/** Small button in a table row. */
export function RowButton({ label, text, isDanger = false, disabled = false, act }: Props) {
  return (
    <Button
      size="compact-sm"
      {...(isDanger ? { variant: 'subtle', color: 'red' } : { variant: 'default' })}
      aria-label={label}
      disabled={disabled}
      onClick={() => void act()}
    >
      {text}
    </Button>
  )
}
