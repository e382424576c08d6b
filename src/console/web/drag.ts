/** How far a pointer has to go before it drags, in pixels; a finger has to rest first. */
const thresholdPx = 6
const restMs = 350
const edgePx = 48
const scrollPx = 14

interface DragOptions {
  /** The element that follows the pointer. */
  card: HTMLElement
  /** What scrolls sideways while a card is held at its edge. */
  board: HTMLElement
  /** The stage under the pointer. */
  onOver(stageId: string | undefined): void
  onDrop(stageId: string): void
}

/** Drags a card by pointer, beginning with this event: from the threshold on, or after a finger has rested on it. */
export function beginDrag(down: PointerEvent, options: DragOptions): void {
  const { card, board, onOver, onDrop } = options
  let dragging = false
  let target: string | undefined
  const byFinger = down.pointerType === 'touch'
  const timer = byFinger ? setTimeout(start, restMs) : undefined
  const held = new AbortController()
  const on = <K extends keyof DocumentEventMap>(type: K, handle: (event: DocumentEventMap[K]) => void) =>
    document.addEventListener(type, handle, { signal: held.signal, passive: false })
  on('pointermove', move)
  on('pointerup', drop)
  on('pointercancel', end)
  on('touchmove', (event) => dragging && event.preventDefault())
  on('keydown', (event) => event.key === 'Escape' && end())

  function start(): void {
    dragging = true
    card.classList.add('dragged')
  }

  function move(event: PointerEvent): void {
    const [x, y] = [event.clientX - down.clientX, event.clientY - down.clientY]
    if (!dragging) {
      if (Math.hypot(x, y) < thresholdPx) return
      if (byFinger) {
        end()
        return
      }
      start()
    }
    card.style.transform = `translate(${x}px, ${y}px) rotate(1.5deg)`
    scrollAtEdge(board, event.clientX)
    const over = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-stage]')
    target = over?.dataset.stage
    onOver(target)
  }

  function drop(): void {
    const dropped = dragging ? target : undefined
    if (dragging) swallowClick()
    end()
    if (dropped) onDrop(dropped)
  }

  function end(): void {
    clearTimeout(timer)
    held.abort()
    card.classList.remove('dragged')
    card.style.transform = ''
    onOver(undefined)
  }
}

function scrollAtEdge(board: HTMLElement, x: number): void {
  const { left, right } = board.getBoundingClientRect()
  if (x < left + edgePx) board.scrollBy(-scrollPx, 0)
  if (x > right - edgePx) board.scrollBy(scrollPx, 0)
}

/** The release over a link would follow it. */
function swallowClick(): void {
  const swallow = (event: Event) => {
    event.preventDefault()
    event.stopPropagation()
  }
  addEventListener('click', swallow, { capture: true, once: true })
  setTimeout(() => removeEventListener('click', swallow, { capture: true }))
}
