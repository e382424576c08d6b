import type { ComponentChildren } from 'preact'

interface ChipsInputProps {
  label: string
  options: readonly { value: string; label: string }[]
  value: readonly string[]
  onValue: (value: string[]) => void
  hint?: string | undefined
  fault?: ComponentChildren
}

/** Chooses several of some options. A value that is no option any more can be taken away. */
export function ChipsInput({ label, options, value, onValue, hint, fault }: ChipsInputProps) {
  const others = value.filter((each) => options.every((option) => option.value !== each))
  const all = [...options, ...others.map((each) => ({ value: each, label: each }))]
  const toggle = (option: string) => {
    const chosen = value.includes(option) ? value.filter((each) => each !== option) : [...value, option]
    onValue(all.map((each) => each.value).filter((each) => chosen.includes(each))) // in one order, so that the same choice is no change
  }
  return (
    <fieldset class="field wide" aria-invalid={fault !== undefined}>
      <legend>{label}</legend>
      <div class="picks">
        {all.map((option) => (
          <label key={option.value} class="pick">
            <input type="checkbox" checked={value.includes(option.value)} onChange={() => toggle(option.value)} />
            {option.label}
          </label>
        ))}
      </div>
      {hint && <span class="hint">{hint}</span>}
      {fault && <span class="fault">{fault}</span>}
    </fieldset>
  )
}
