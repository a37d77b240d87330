import { type Alert, type AlertMessage, alertId } from './alert.js';

interface Entry {
  alert: Alert;
  state: 'raised' | 'retracted';
}

/**
 * Which alerts were raised. Per alert key:
 *
 *   (none) ──violation──► raised ──cleared──► retracted
 *
 * There is no way back and no second step: an alert is raised once and retracted at most once, whatever
 * arrives late (design.md §9). The book outlives the traces; it is bounded, oldest unit first.
 */
export class AlertBook {
  readonly #maxAlerts: number;
  /** Unit, then alert id. */
  readonly #units = new Map<string, Map<string, Entry>>();
  #size = 0;

  constructor(maxAlerts: number) {
    this.#maxAlerts = maxAlerts;
  }

  /** Message for a violation; `null` when it was raised before. */
  raise(alert: Alert): AlertMessage | null {
    const id = alertId(alert.key);
    const unit = unitKey(alert);
    let entries = this.#units.get(unit);
    if (entries === undefined) {
      entries = new Map();
      this.#units.set(unit, entries);
    }
    if (entries.has(id)) return null;
    entries.set(id, { alert, state: 'raised' });
    this.#size += 1;
    this.#forgetOldest(unit);
    return { state: 'raised', alert, reason: alert.reason, idempotencyKey: `${id}:raised` };
  }

  /**
   * Retracts what a grading of the whole unit cleared. `findClearing` says why an alert no longer stands,
   * or `null` while it does.
   */
  retract(
    unit: Alert['key']['unit'],
    generation: number,
    findClearing: (alert: Alert) => string | null,
  ): readonly AlertMessage[] {
    const messages: AlertMessage[] = [];
    for (const [id, entry] of this.#units.get(`${unit.kind}/${unit.id}`) ?? []) {
      const reason = entry.state === 'raised' ? findClearing(entry.alert) : null;
      if (reason === null) continue;
      entry.state = 'retracted';
      const alert = { ...entry.alert, generation };
      messages.push({ state: 'retracted', alert, reason, idempotencyKey: `${id}:retracted` });
    }
    return messages;
  }

  #forgetOldest(current: string): void {
    for (const [unit, entries] of this.#units) {
      if (this.#size <= this.#maxAlerts || unit === current) return;
      this.#units.delete(unit);
      this.#size -= entries.size;
    }
  }
}

function unitKey({ key }: Alert): string {
  return `${key.unit.kind}/${key.unit.id}`;
}
