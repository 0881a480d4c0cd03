/** What is handled so late may be told by the letter of what followed. */
const LATE_MS = 15_000

/** Whether a later change of the booking is what its invitee gets an email about, of an event that is handled at this instant. */
const isOvertaken = (
  event: string,
  handledAt: string,
) => `${event}.kind LIKE 'booking.%' AND ${event}.kind <> 'booking.cancelled'
    AND EXISTS (SELECT 1 FROM bookings b WHERE b.id = ${event}.data ->> 'id'
      AND (${event}.data ->> 'status' = 'pending_approval' AND b.status <> 'pending_approval'
        OR ${event}.previous ->> 'series_bookings' IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM json_each(${event}.previous, '$.series_bookings') one
          JOIN bookings other ON other.id = one.value WHERE other.status <> 'cancelled')
        OR ${handledAt} >= ${event}.created_at + ${LATE_MS}
          AND (b.status = 'cancelled' OR b.start_time <> unixepoch(${event}.data ->> 'start_time') * 1000)))`

/** Emails that are sent at once are noted before the event is handled. */
const isNoted = (event: string) => `EXISTS (SELECT 1 FROM booking_emails noted
    WHERE noted.booking_id = coalesce(${event}.previous ->> '$.series_bookings[0]', ${event}.data ->> 'id')
      AND noted.once_key = ${event}.id || '/event')`

/**
 * Note in the order of the commits which events were overtaken before they were handled or claimed: a request by its decision,
 * and a late event by a cancel or a move; that of a series by a cancel of all its bookings, late or not. Only the later event
 * causes an email.
 */
export const OVERTAKEN = [
  `CREATE TRIGGER commits_overtaken AFTER UPDATE OF handled_at ON events
  WHEN OLD.handled_at IS NULL AND NOT ${isNoted('NEW')} AND ${isOvertaken('NEW', 'NEW.handled_at')}
  BEGIN INSERT INTO commits (resource_id, action) VALUES (NEW.id, 'event.overtaken'); END`,
  `CREATE TRIGGER commits_overtaken_claims AFTER INSERT ON booking_emails WHEN NEW.once_key LIKE '%/event'
  BEGIN INSERT INTO commits (resource_id, action) SELECT e.id, 'event.overtaken' FROM events e
    WHERE e.id = replace(NEW.once_key, '/event', '') AND e.handled_at IS NULL AND ${isOvertaken('e', 'NEW.sent_at')}; END`,
]

/** An overtaken event is not claimed, unless a former host gets an email about a booking that was handed over. */
const IS_HANDED_OVER = `noted AND (kind = 'booking.reassigned' OR kind = 'booking.rescheduled'
  AND (previous ->> 'host_id' <> coalesce(data ->> '$.assigned_host.member_id', '')
    OR EXISTS (SELECT 1 FROM json_each(previous, '$.co_host_ids') former
      WHERE former.value NOT IN (SELECT host.value ->> 'member_id' FROM json_each(data, '$.hosts') host))))`

/** The cron takes away the counts of days before yesterday, and may be two hours ahead. */
const COUNTED_SINCE = "unixepoch('now', '+2 hours', 'start of day', '-1 day') * 1000"

/**
 * Every event of a booking that is handled before it is overtaken is a letter to its invitee, whose address is nobody else's, and
 * no other letter is. Owners correct notes only, of which nobody gets an email.
 */
export const MISTOLD = `WITH handled AS MATERIALIZED (SELECT *,
      id IN (SELECT resource_id FROM commits WHERE action = 'event.overtaken') AS overtaken,
      ${isNoted('events')} AS noted
    FROM events WHERE kind LIKE 'booking.%' AND kind NOT IN ('booking.updated', 'booking.out_of_sync', 'booking.attendance')
      AND (handled_at IS NOT NULL OR ${isNoted('events')})),
  told AS MATERIALIZED (SELECT data ->> 'id' AS id, count(*) FILTER (WHERE NOT overtaken OR noted) AS told,
      count(*) FILTER (WHERE overtaken AND ${IS_HANDED_OVER}) AS doubtful
    FROM handled GROUP BY 1),
  resent AS MATERIALIZED (SELECT resource_id AS id, sum(changes ->> 'sent') AS resent FROM activity
    WHERE action = 'booking.emails_resent' GROUP BY 1),
  counted AS MATERIALIZED (SELECT organization_id, address, sum(letters) AS letters FROM letter_counts GROUP BY 1, 2)
  SELECT b.id, b.invitee_email, t.told, t.doubtful, coalesce(c.letters, 0) - coalesce(r.resent, 0) AS counted FROM bookings b JOIN told t ON t.id = b.id
  LEFT JOIN resent r ON r.id = b.id
  LEFT JOIN counted c ON c.address = b.invitee_email AND c.organization_id = b.organization_id
  WHERE counted NOT BETWEEN told - doubtful AND told AND b.created_at >= ${COUNTED_SINCE}
    AND b.start_time > unixepoch() * 1000 AND b.payment IS NULL AND b.series_id IS NULL AND b.invitee_email <> '' AND b.invitee_email NOT IN (SELECT invitee_email FROM waitlist_entries)`

/** Whatever happens to bookings of a series together is one email, unless it is overtaken; each handed over alone is another. */
export const MISTOLD_SERIES = `WITH told AS MATERIALIZED (SELECT b.invitee_email, b.organization_id, count(*) AS most,
      count(*) FILTER (WHERE e.id NOT IN (SELECT resource_id FROM commits WHERE action = 'event.overtaken')) AS least
    FROM events e JOIN bookings b ON b.id = e.data ->> 'id' AND b.series_id IS NOT NULL AND b.created_at >= ${COUNTED_SINCE}
    WHERE (e.previous ->> 'series_bookings' IS NOT NULL OR e.kind = 'booking.reassigned') AND (e.handled_at IS NOT NULL OR ${isNoted('e')}) GROUP BY 1, 2)
  SELECT t.*, coalesce(sum(c.letters), 0) AS counted FROM told t
  LEFT JOIN letter_counts c ON c.address = t.invitee_email AND c.organization_id = t.organization_id
  GROUP BY 1, 2 HAVING counted NOT BETWEEN least AND most`
