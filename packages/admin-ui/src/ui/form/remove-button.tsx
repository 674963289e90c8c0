import { Button } from '@mantine/core'
import { useTexts } from '../../text/texts.tsx'

/** Button that removes a list entry. `label` identifies the entry for screen readers. */
export function RemoveButton({ label, remove }: { label: string; remove: () => void }) {
  const { common } = useTexts()
  return (
    <Button variant="subtle" color="red" aria-label={label} onClick={remove}>
      {common.remove}
    </Button>
  )
}
