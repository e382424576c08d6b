/** A progress bar on a terminal; no output elsewhere. */
interface Progress {
  show(done: number, of: number, text: string): void
  /** Prints a line above the bar. */
  note(text: string): void
  end(): void
}

const barWidth = 24

export function showProgress(stream: NodeJS.WriteStream): Progress {
  let bar = ''
  const clear = () => {
    if (stream.isTTY && bar !== '') stream.write('\r\x1b[K')
  }
  return {
    show(done, of, text) {
      if (!stream.isTTY) return
      const share = of === 0 ? 1 : Math.min(1, done / of)
      const filled = Math.round(share * barWidth)
      bar = `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${Math.floor(share * 100)} %  ${text}`
      stream.write(`\r\x1b[K${bar.slice(0, (stream.columns ?? 80) - 1)}`)
    },
    note(text) {
      clear()
      stream.write(`${text}\n${stream.isTTY ? bar : ''}`)
    },
    end() {
      clear()
      bar = ''
    },
  }
}
