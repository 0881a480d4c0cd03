CREATE EXTENSION btree_gist;

CREATE TABLE api_keys (
  hash bytea PRIMARY KEY,
  organization_id uuid NOT NULL,
  revoked_at timestamptz
);

CREATE TABLE event_types (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  title text NOT NULL,
  duration_minutes int NOT NULL,
  interval_minutes int NOT NULL,
  notice_minutes int NOT NULL,
  timezone text NOT NULL,
  active boolean NOT NULL DEFAULT true
);

CREATE TABLE weekly_hours (
  event_type_id uuid NOT NULL REFERENCES event_types,
  day_of_week int NOT NULL,
  opens interval NOT NULL,
  closes interval NOT NULL,
  PRIMARY KEY (event_type_id, day_of_week, opens)
);

-- Whoever of these is free takes the booking; an event type without hosts is its own resource.
CREATE TABLE event_type_resources (
  event_type_id uuid NOT NULL REFERENCES event_types,
  resource_id uuid NOT NULL,
  PRIMARY KEY (event_type_id, resource_id)
);

CREATE TABLE bookings (
  id uuid PRIMARY KEY,
  organization_id uuid NOT NULL,
  event_type_id uuid NOT NULL,
  resource_id uuid NOT NULL,
  span tstzrange NOT NULL,
  status text NOT NULL DEFAULT 'confirmed',
  invitee_name text NOT NULL,
  invitee_email text NOT NULL,
  invitee_timezone text NOT NULL,
  notes text,
  metadata jsonb NOT NULL,
  attendees jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT no_overlap EXCLUDE USING gist (resource_id WITH =, span WITH &&) WHERE (status = 'confirmed')
);

CREATE TABLE idempotency_keys (
  scope text NOT NULL,
  key text NOT NULL,
  request_hash bytea NOT NULL,
  status int NOT NULL,
  body jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (scope, key)
);

CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  booking_id uuid NOT NULL
);
