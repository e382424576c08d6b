import { useState } from 'preact/hooks'
import { decimalText, parseDecimal, withoutPercentSign } from '../text/decimal.ts'
import { Invalid } from '../text/invalid.ts'
import type { Wiring } from './form.tsx'

interface DecimalInputProps {
  wiring: Wiring
  value: unknown
  onValue: (value: number | null | Invalid) => void
  /** The number as it was understood: `12.500,50 €`. */
  shownAs: (value: number) => string
  /** Whether it may end with a percent sign. */
  isPercent?: boolean
}

/** A number as text in the user's locale. It shows how the text was understood. */
export function DecimalInput({ wiring, value, onValue, shownAs, isPercent }: DecimalInputProps) {
  const [text, setText] = useState(() => textOf(value))
  return (
    <>
      <input
        {...wiring}
        type="text"
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onInput={({ currentTarget }) => {
          const typed = currentTarget.value
          setText(typed)
          onValue(parseDecimal(isPercent ? withoutPercentSign(typed) : typed))
        }}
      />
      {typeof value === 'number' && <output class="hint number">{shownAs(value)}</output>}
    </>
  )
}

function textOf(value: unknown): string {
  if (typeof value === 'number') return decimalText(value)
  return value instanceof Invalid ? value.text : ''
}
