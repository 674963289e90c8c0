import { Button } from '@mantine/core'
import { useTexts } from '../../text/texts.tsx'

/** Takes an entry of a list away; `label` says which, to those who do not see it. */
export function RemoveButton({ label, remove }: { label: string; remove: () => void }) {
  const { common } = useTexts()
  return (
    <Button variant="subtle" color="red" aria-label={label} onClick={remove}>
      {common.remove}
    </Button>
  )
}
