-- Tables of an Unleash server of version 5, with the columns that matter to an import. Made for tests.
create table migrations (id serial primary key, name text, run_on timestamp);
create table projects (id text primary key, name text, description text, created_at timestamp, health int, updated_at timestamptz);
create table project_settings (project text primary key, default_stickiness text, project_mode text, feature_limit int,
  feature_naming_pattern text, feature_naming_example text, feature_naming_description text);
create table environments (name text primary key, type text, sort_order int, enabled boolean, protected boolean);
create table project_environments (project_id text, environment_name text, default_strategy jsonb);
create table features (name text primary key, project text, type text, description text, stale boolean, potentially_stale boolean,
  impression_data boolean, created_at timestamptz, archived_at timestamptz, last_seen_at timestamptz, created_by_user_id int,
  variants json, archived boolean);
create table feature_environments (feature_name text, environment text, enabled boolean, variants jsonb, last_seen_at timestamptz);
create table feature_strategies (id text primary key, feature_name text, project_name text, environment text, strategy_name text,
  title text, parameters jsonb, constraints jsonb, variants jsonb, sort_order int, disabled boolean, created_at timestamptz);
create table segments (id serial primary key, name text, description text, constraints jsonb, segment_project_id text,
  created_by text, created_at timestamptz);
create table feature_strategy_segment (feature_strategy_id text, segment_id int);
create table dependent_features (parent text, child text, enabled boolean, variants jsonb);
create table strategies (name text primary key, built_in int, display_name text, title text, description text, parameters json,
  deprecated boolean, sort_order int);
create table context_fields (name text primary key, description text, stickiness boolean, sort_order int, legal_values json,
  created_at timestamp);
create table feature_types (id text primary key, name text, description text, lifetime_days int);
create table api_tokens (secret text primary key, token_name text, username text, type text, environment text, alias text,
  expires_at timestamptz, created_at timestamptz, seen_at timestamptz);
create table api_token_project (secret text, project text);
create table users (id serial primary key, name text, username text, email text, password_hash text, created_at timestamp,
  seen_at timestamp, login_attempts int, deleted_at timestamptz, is_service boolean, is_system boolean, scim_id text, scim_external_id text, image_url text);
create table roles (id serial primary key, name text, description text, type text);
create table role_user (role_id int, user_id int, project text);
create table role_permission (role_id int, permission text, environment text);
create table groups (id serial primary key, name text, description text, mappings_sso jsonb, root_role_id int, scim_id text,
  created_at timestamptz);
create table group_user (group_id int, user_id int);
create table group_role (group_id int, role_id int, project text);
create table personal_access_tokens (secret text primary key, description text, user_id int, expires_at timestamptz,
  seen_at timestamptz, created_at timestamptz);
create table settings (name text primary key, content json);
create table public_signup_tokens (secret text primary key, name text, expires_at timestamptz, created_at timestamptz,
  created_by text, role_id int, url text, enabled boolean);
create table public_signup_tokens_user (secret text, user_id int);
create table events (id serial primary key, created_at timestamptz, type text, created_by text, created_by_user_id int, data json,
  pre_data jsonb, tags json, project text, environment text, feature_name text, ip text);
create table tag_types (name text primary key, description text, icon text);
create table tags (type text, value text);
create table feature_tag (feature_name text, tag_type text, tag_value text);
create table favorite_features (feature text, user_id int);
create table favorite_projects (project text, user_id int);
create table feature_lifecycles (feature text, stage text, created_at timestamptz);
create table last_seen_at_metrics (feature_name text, environment text, last_seen_at timestamptz);
create table client_metrics_env (feature_name text, app_name text, environment text, "timestamp" timestamptz, yes bigint, no bigint);
create table client_metrics_env_variants (feature_name text, app_name text, environment text, "timestamp" timestamptz,
  variant text, count int);
create table client_applications (app_name text primary key, strategies json, description text, icon text, url text, color text,
  created_at timestamptz, seen_at timestamptz);
create table client_applications_usage (app_name text, project text, environment text);
create table client_instances (app_name text, instance_id text, environment text, sdk_version text, client_ip text,
  last_seen timestamptz);
create table addons (id serial primary key, provider text, enabled boolean, description text, parameters json, events json,
  projects jsonb, environments jsonb, created_at timestamptz);
create table login_history (id serial primary key, username text not null, auth_type text not null, successful boolean not null);
create table banners (id serial primary key);
create table reset_tokens (reset_token text);
