import { TextField } from '../forms/form.tsx'
import { t } from '../text/texts.ts'

interface ReasonFieldProps {
  value: string
  onValue: (value: string) => void
  fault?: string | undefined
}

/** Why deals are lost. */
export function ReasonField(props: ReasonFieldProps) {
  return <TextField {...props} label={t('Reason')} hint={t('Kept as a note. The probability becomes 0%.')} optional />
}
